import type { ReactElement } from 'react'
import { Attachment } from './attachment.tsx'
import type { RowOf } from './row.ts'

/** A file or a picture that the agent gave. */
export const FileRow = ({ row: { file } }: { readonly row: RowOf<'file'> }): ReactElement => (
  <Attachment file={file} large />
)
