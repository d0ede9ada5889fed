import { statSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import { describeFailure } from '../../journal/sqlite/sqlite-failure.ts'
import { refusal } from '../configuration/check.ts'

/** Whether the data folder exists. A file at its path, or at a parent's, is refused. */
export function hasFolder(folder: string): boolean {
  const found = look(folder)
  if (found !== undefined && !found.isDirectory())
    throw refusal(`${folder} is a file, not a folder. Choose another data folder with --data.`)
  if (found === undefined && dirname(folder) !== folder) hasFolder(dirname(folder))
  return found !== undefined
}

/** Refuses a missing folder. Only commands that write create one, so that a typo leaves nothing behind. */
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
