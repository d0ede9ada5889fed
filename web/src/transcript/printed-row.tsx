import type { ReactElement } from 'react'
import { Terminal } from '../tools/terminal/terminal.tsx'
import type { RowOf } from './row.ts'

/** What a command that a person ran printed. */
export const PrintedRow = ({ row: { output, errors } }: { readonly row: RowOf<'printed'> }): ReactElement => (
  <Terminal command={null} output={output} errors={errors} live={false} />
)
