import { constants } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { confinedFile, openFolderWithin } from '../../kit/confined.ts'
import { ToolRefusal } from './tool.ts'

/** Writes a file within a folder, whole or not at all. Says whether there was one before. */
export async function writeFileWithin(
  folder: string,
  path: string,
  text: string,
): Promise<'made' | 'replaced'> {
  const target = await confinedFile(folder, path)
  const parent = dirname(target)
  await mkdir(parent, { recursive: true })
  await using place = await openFolderWithin(folder, parent)
  const own = place.at(basename(target))
  const before = await stat(own).catch(() => null)
  if (before !== null && !before.isFile())
    throw new ToolRefusal(`${path} is ${before.isDirectory() ? 'a folder' : 'no file'}.`)
  const draft = place.at(`.${basename(target)}.${randomUUID()}`)
  try {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
    const mode = before === null ? 0o644 : before.mode & 0o777
    await using file = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
    await file.writeFile(text)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  // A link that was put there meanwhile is replaced, not followed.
  await rename(draft, own)
  return before === null ? 'made' : 'replaced'
}
