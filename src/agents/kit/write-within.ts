import { constants } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { confinedFile, makeFolderWithin } from './confined.ts'
import { PathRefused, type Reach } from './data-folder.ts'

/** Writes a file within reach, completely or not at all. Returns whether it existed before. */
export async function writeFileWithin(
  reach: Reach,
  path: string,
  text: string,
): Promise<'made' | 'replaced'> {
  const target = await confinedFile(reach, path)
  await using place = await makeFolderWithin(reach, dirname(target))
  const own = place.at(basename(target))
  const before = await stat(own).catch(() => null)
  if (before !== null && !before.isFile())
    throw new PathRefused(`${path} is ${before.isDirectory() ? 'a folder' : 'not a file'}.`)
  const draft = place.at(`.${randomUUID()}`)
  try {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
    const mode = before === null ? 0o644 : before.mode & 0o777
    await using file = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
    await file.writeFile(text)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  // A link that appeared meanwhile, or a hard link to another file, is replaced, not followed.
  await rename(draft, own)
  return before === null ? 'made' : 'replaced'
}
