import { DragomanError } from '../../protocol/error.ts'

const full = 13
const readOnly = 8
/** What SQLite says of a file that is damaged, or no database at all. */
export const damaged: ReadonlySet<number> = new Set([11, 26])

/** What went wrong in SQLite or in the file system, as our error: which kind, and what to do. */
export function describeFailure(error: unknown, folder: string): DragomanError {
  if (error instanceof DragomanError) return error
  const { errcode, code, message } = error as { errcode?: number; code?: string; message?: string }
  const primary = (errcode ?? 0) & 0xff
  if (primary === full || code === 'ENOSPC' || code === 'EDQUOT')
    return new DragomanError(
      'disk-full',
      `The disk with ${folder} is full. Free some space; nothing saved was lost.`,
      {
        cause: error,
      },
    )
  if (primary === readOnly || code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
    return new DragomanError(
      'folder-read-only',
      `The data folder ${folder} cannot be written to. Allow writing, or choose another folder with --data.`,
      { cause: error },
    )
  if (damaged.has(primary))
    return new DragomanError(
      'session-damaged',
      `The database in ${folder} is damaged (${message}). Run "dragoman verify" to see what is affected.`,
      { cause: error },
    )
  if (isUnreadable(code))
    return new DragomanError(
      'session-damaged',
      `Data in ${folder} cannot be decompressed (${message}). Run "dragoman verify" to see what is affected.`,
      { cause: error },
    )
  return new DragomanError('save-failed', `Saving in ${folder} failed: ${message ?? String(error)}.`, {
    cause: error,
  })
}

/** Packed entries that are no longer what was packed. */
const isUnreadable = (code: string | undefined) =>
  code?.startsWith('ZSTD_error_') === true || code === 'Z_BUF_ERROR' || code === 'Z_DATA_ERROR'
