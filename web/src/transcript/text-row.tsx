import type { ReactElement } from 'react'
import { Markdown } from '../markdown/markdown.tsx'
import type { RowOf } from './row.ts'

/** What the agent said. */
export const TextRow = ({ row: { text, streaming } }: { readonly row: RowOf<'text'> }): ReactElement => (
  <Markdown text={text} streaming={streaming} />
)
