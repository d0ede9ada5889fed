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

/** The files of a data folder by device and inode, which are the same under each name of a file. */
type Identities = Promise<ReadonlySet<string>>

/** Read once for each call of a tool, and only where they are needed. */
const knownFolders = new WeakMap<Reach, Identities>()
const knownFiles = new WeakMap<Reach, Identities>()

/** Leads to every file that the server has open, and into its memory. */
const processes = '/proc'

/** Whether a path is a folder, or inside it. Both must be real paths. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)
}

/** Refuses a true path in the data folder, where the token and every session lie, and in /proc. */
export async function refuseClosedPath({ dataFolder }: Reach, path: string): Promise<void> {
  if (isWithin(processes, path)) throw new PathRefused(`Agents may not use ${processes}.`)
  const closed = await realpath(dataFolder).catch(() => resolve(dataFolder))
  if (isWithin(closed, path)) throw closedFolder()
}

/** The same for a folder that is open: a name in other letters, or a mount, may lead to it. */
export async function refuseClosedFolder(reach: Reach, handle: FileHandle): Promise<void> {
  const folders = knownFolders.get(reach) ?? identitiesIn(reach.dataFolder, 'folders')
  knownFolders.set(reach, folders)
  if ((await folders).has(identityOf(await handle.stat({ bigint: true })))) throw closedFolder()
}

/** The same for a file that is open: it may be a second name of a file in the data folder. */
export async function refuseClosedFile(reach: Reach, handle: FileHandle): Promise<void> {
  const stats = await handle.stat({ bigint: true })
  // Looked at afterwards: a name that is still there was there when names were counted, so it is the one that counts.
  if (stats.nlink <= 1n && (await hasName(handle))) return
  const files = knownFiles.get(reach) ?? identitiesIn(reach.dataFolder, 'files')
  knownFiles.set(reach, files)
  if ((await files).has(identityOf(stats))) throw closedFolder()
}

/** The path by which the system knows something that is open. */
export const throughOf = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`

/** The real path of an open file. Without such links (macOS), a swap between check and open stays possible. */
export const openedPath = (handle: FileHandle): Promise<string | null> =>
  readlink(throughOf(handle)).catch(() => null)

/** Whether the name by which a file was opened is surely still its name. */
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
    // What is gone by now has no number that could be met again.
    const stats = await stat(path, { bigint: true }).catch(() => null)
    return stats === null ? '' : identityOf(stats)
  })
  return new Set(await Promise.all(identities))
}

/** Everything in a folder and below. One that is gone by now, or not ours to read, takes nothing else with it. */
async function entriesIn(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EACCES') return []
    throw error
  })
  const folders = entries.filter(entry => entry.isDirectory())
  const below = await Promise.all(folders.map(({ name }) => entriesIn(join(folder, name))))
  return [...entries, ...below.flat()]
}
