import { constants } from 'node:fs'
import { lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'

/** A path that an agent may not use; the message says why. */
export class PathRefused extends Error {}

/** The true path of a file that may not exist yet; it must lie in the folder, whatever links lead to it. */
export async function confinedPath(folder: string, path: string): Promise<string> {
  if (path.includes('\0')) throw new PathRefused('A path must not hold the character NUL.')
  const root = await realpath(folder)
  const target = await truePath(isAbsolute(path) ? path : resolve(root, path))
  if (!isWithin(root, target))
    throw new PathRefused(`${path} lies outside of the session's folder ${folder}.`)
  return target
}

/** The true path of a file in a folder; the folder itself is none. */
export async function confinedFile(folder: string, path: string): Promise<string> {
  const target = await confinedPath(folder, path)
  if (target === (await realpath(folder))) throw new PathRefused(`${path} is a folder.`)
  return target
}

/** Whether a path is a folder, or lies below it. Both must be true paths. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)
}

async function truePath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    // A link to nowhere would be followed when the file is made.
    const isThere = await lstat(path).then(
      () => true,
      () => false,
    )
    if (isThere || dirname(path) === path) throw new PathRefused(String(error))
    return join(await truePath(dirname(path)), basename(path))
  }
}

/** A folder that stays the same one while it is open, whatever is put in the place of its path. */
export interface OpenFolder extends AsyncDisposable {
  /** The path of something directly in it. */
  at(name: string): string
}

/**
 * Opens the folder of a file within another folder. The path was looked at before, and someone may have put a link in its
 * place since: so what was opened is looked at again, and everything else goes through it.
 */
export async function openFolderWithin(root: string, path: string): Promise<OpenFolder> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    const through = `/proc/self/fd/${handle.fd}`
    const place = await readlink(through).catch(() => null)
    // Without such links (macOS), a swap in the moment between looking and opening stays possible.
    if (!isWithin(await realpath(root), place ?? (await realpath(path))))
      throw new PathRefused(`${path} was changed while it was opened.`)
    return {
      at: name => join(place === null ? path : through, name),
      [Symbol.asyncDispose]: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Opens a file within a folder for reading: a true file, no link, no pipe, no device. */
export async function openFileWithin(folder: string, path: string): Promise<FileHandle> {
  const target = await confinedFile(folder, path)
  await using parent = await openFolderWithin(folder, dirname(target))
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  // A pipe that nobody writes to would keep us waiting.
  const file = await open(parent.at(basename(target)), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  const stats = await file.stat()
  if (stats.isFile()) return file
  await file.close()
  throw new PathRefused(`${path} is ${stats.isDirectory() ? 'a folder' : 'no file'}.`)
}
