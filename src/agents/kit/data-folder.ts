import type { BigIntStats, Dirent } from 'node:fs'
import { readdir, readlink, realpath, stat, type FileHandle } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'

/** A path that an agent may not use; the message has the reason. */
export class PathRefused extends Error {}

/** What an agent's tools may use: its folder, without the data folder if that is inside. */
export interface Reach {
  readonly cwd: string
  readonly dataFolder: string
}

/** The files of a data folder by device and inode, which are the same for all names of a file. */
type Identities = Promise<ReadonlySet<string>>

/** Read at most once per tool call, and only when needed. */
const knownFolders = new WeakMap<Reach, Identities>()
const knownFiles = new WeakMap<Reach, Identities>()

/** Gives access to every file that the server has open, and to its memory. */
const processes = '/proc'

/** Whether a path is a folder, or inside it. Both must be real paths. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)
}

/** Refuses a real path in /proc or in the data folder, which contains the token and all sessions. */
export async function refuseClosedPath({ dataFolder }: Reach, path: string): Promise<void> {
  if (isWithin(processes, path)) throw new PathRefused(`Agents may not use ${processes}.`)
  const closed = await realpath(dataFolder).catch(() => resolve(dataFolder))
  if (isWithin(closed, path)) throw closedFolder()
}

/** The same for an open folder: a name in different case, or a mount, may lead to it. */
export async function refuseClosedFolder(reach: Reach, handle: FileHandle): Promise<void> {
  const folders = knownFolders.get(reach) ?? identitiesIn(reach.dataFolder, 'folders')
  knownFolders.set(reach, folders)
  if ((await folders).has(identityOf(await handle.stat({ bigint: true })))) throw closedFolder()
}

/** The same for an open file: it may be a hard link to a file in the data folder. */
export async function refuseClosedFile(reach: Reach, handle: FileHandle): Promise<void> {
  const stats = await handle.stat({ bigint: true })
  // Checked afterwards: a name that still exists now also existed when the links were counted.
  if (stats.nlink <= 1n && (await hasName(handle))) return
  const files = knownFiles.get(reach) ?? identitiesIn(reach.dataFolder, 'files')
  knownFiles.set(reach, files)
  if ((await files).has(identityOf(stats))) throw closedFolder()
}

/** The path of an open file descriptor in the system's own folder. */
export const throughOf = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`

/** The real path of an open file. Without such links (macOS), a swap between check and open stays possible. */
export const openedPath = (handle: FileHandle): Promise<string | null> =>
  readlink(throughOf(handle)).catch(() => null)

/** Whether a file certainly still has the name by which it was opened. */
async function hasName(handle: FileHandle): Promise<boolean> {
  const place = await openedPath(handle)
  return place !== null && !place.endsWith(' (deleted)')
}

const closedFolder = () =>
  new PathRefused("This is in Dragoman's data folder, which agents cannot use. Use another folder.")

const identityOf = ({ dev, ino }: BigIntStats) => `${dev}:${ino}`

async function identitiesIn(dataFolder: string, kind: 'folders' | 'files'): Identities {
  const entries = await entriesIn(dataFolder)
  // A link may lead to a file or to a folder.
  const wanted = entries.filter(
    entry => entry.isSymbolicLink() || entry.isDirectory() === (kind === 'folders'),
  )
  const paths = wanted.map(({ parentPath, name }) => join(parentPath, name))
  const identities = [dataFolder, ...paths].map(async path => {
    // A file that is gone has no inode to compare with.
    const stats = await stat(path, { bigint: true }).catch(() => null)
    return stats === null ? '' : identityOf(stats)
  })
  return new Set(await Promise.all(identities))
}

/** Everything in a folder and below it. Folders that are gone or not readable are skipped. */
async function entriesIn(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EACCES') return []
    throw error
  })
  const folders = entries.filter(entry => entry.isDirectory())
  const below = await Promise.all(folders.map(({ name }) => entriesIn(join(folder, name))))
  return [...entries, ...below.flat()]
}
