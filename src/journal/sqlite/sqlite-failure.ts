import { DragomanError } from '../../protocol/error.ts'

const full = 13
const readOnly = 8
const corrupt = 11
const notADatabase = 26

const primaryCode = (error: unknown) => ((error as { errcode?: number } | undefined)?.errcode ?? 0) & 0xff

/** Whether SQLite met a page that is not as it was written. */
export const isCorruption = (error: unknown): boolean => primaryCode(error) === corrupt

/** Whether a file is damaged, or not a database at all. */
export const isDamaged = (error: unknown): boolean =>
  isCorruption(error) || primaryCode(error) === notADatabase

/** Turns an error of SQLite or the file system into a `DragomanError` that says what to do. */
export function describeFailure(error: unknown, folder: string): DragomanError {
  if (error instanceof DragomanError) return error
  const { code, message } = error as { code?: string; message?: string }
  const primary = primaryCode(error)
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
  if (isDamaged(error))
    return new DragomanError(
      'session-damaged',
      `The database in ${folder} is damaged (${message}). Restart Dragoman to move all readable data to a new one. ` +
        'Run "dragoman verify" to see what is affected.',
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

/** Whether packed entries cannot be unpacked. */
const isUnreadable = (code: string | undefined) =>
  code?.startsWith('ZSTD_error_') === true || code === 'Z_BUF_ERROR' || code === 'Z_DATA_ERROR'
