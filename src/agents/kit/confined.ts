import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath, type FileHandle } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import {
  isWithin,
  openedPath,
  PathRefused,
  refuseClosedFile,
  refuseClosedFolder,
  refuseClosedPath,
  throughOf,
  type Reach,
} from './data-folder.ts'

/** The real path of a file that may not exist yet. It must be within reach, whatever links lead to it. */
export async function confinedPath(reach: Reach, path: string): Promise<string> {
  if (path.includes('\0')) throw new PathRefused('A path must not contain the character NUL.')
  const root = await realpath(reach.cwd)
  const target = await truePath(isAbsolute(path) ? path : resolve(root, path))
  if (!isWithin(root, target)) throw new PathRefused(`${path} is outside the session's folder ${reach.cwd}.`)
  await refuseClosedPath(reach, target)
  return target
}

/** The real path of a file in a folder; the folder itself is refused. */
export async function confinedFile(reach: Reach, path: string): Promise<string> {
  const target = await confinedPath(reach, path)
  if (target === (await realpath(reach.cwd))) throw new PathRefused(`${path} is a folder.`)
  return target
}

async function truePath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    // A dangling link would be followed when the file is created.
    const isThere = await lstat(path).then(
      () => true,
      () => false,
    )
    if (isThere || dirname(path) === path) throw new PathRefused(String(error))
    return join(await truePath(dirname(path)), basename(path))
  }
}

/** An open folder. It stays the same folder even if its path is replaced. */
export interface OpenFolder extends AsyncDisposable {
  /** The path of an entry directly in it. */
  at(name: string): string
}

/**
 * Opens a folder within reach. The path was checked before, but it may have been replaced by a link since. So the open
 * folder is checked again, and everything else goes through it.
 */
export async function openFolderWithin(reach: Reach, path: string): Promise<OpenFolder> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    const place = await openedPath(handle)
    const real = place ?? (await realpath(path))
    if (!isWithin(await realpath(reach.cwd), real))
      throw new PathRefused(`${path} changed while it was being opened.`)
    await refuseClosedPath(reach, real)
    await refuseClosedFolder(reach, handle)
    return {
      at: name => join(place === null ? path : throughOf(handle), name),
      [Symbol.asyncDispose]: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Opens a folder within reach, and creates it and its missing parents. */
export async function makeFolderWithin(reach: Reach, path: string): Promise<OpenFolder> {
  try {
    return await openFolderWithin(reach, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await using parent = await makeFolderWithin(reach, dirname(path))
  await mkdir(parent.at(basename(path))).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return await openFolderWithin(reach, path)
}

/** Opens a regular file within reach for reading: not a link, a pipe or a device. */
export async function openFileWithin(reach: Reach, path: string): Promise<FileHandle> {
  const target = await confinedFile(reach, path)
  await using parent = await openFolderWithin(reach, dirname(target))
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  // A pipe without a writer would block us.
  const file = await open(parent.at(basename(target)), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile())
      throw new PathRefused(`${path} is ${stats.isDirectory() ? 'a folder' : 'not a file'}.`)
    await refuseClosedFile(reach, file)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Opens any file of this machine for reading, except those of the data folder. */
export async function openFileAnywhere(reach: Reach, path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NONBLOCK } = constants
  const file = await open(path, O_RDONLY | O_NONBLOCK)
  try {
    await refuseClosedPath(reach, (await openedPath(file)) ?? (await realpath(path)))
    await refuseClosedFile(reach, file)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
