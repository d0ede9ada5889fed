import { statSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import { describeFailure } from '../../journal/sqlite/sqlite-failure.ts'
import { refusal } from '../configuration/check.ts'

/** Whether there is a data folder. A file in its place, or above it, is refused: nothing can be kept there. */
export function hasFolder(folder: string): boolean {
  const found = look(folder)
  if (found !== undefined && !found.isDirectory())
    throw refusal(`${folder} is a file, not a folder. Choose another data folder with --data.`)
  if (found === undefined && dirname(folder) !== folder) hasFolder(dirname(folder))
  return found !== undefined
}

/** Refuses a folder that is not there: only what writes makes one, so that a slip of the pen leaves nothing behind. */
export function requireFolder({ data }: { readonly data: string }): void {
  if (hasFolder(data)) return
  throw refusal(
    `There is no data folder ${data}. Check the path. If it is right, nothing is saved yet; "dragoman run" creates it.`,
  )
}

function look(folder: string): Stats | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false })
  } catch (error) {
    throw describeFailure(error, folder)
  }
}
