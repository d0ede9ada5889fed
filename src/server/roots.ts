import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { DragomanError } from '../protocol/error.ts'

/** Looks at a folder in which an agent is to work, and gives its real path. */
export type CheckFolder = (cwd: string) => Promise<string>

/**
 * Allows folders that really lie in one of the roots, whatever links and dots their path has, and not in the data folder. A
 * folder above it is allowed (a home is), unless a link that is no root leads there: tools stay out of the data folder in it. What is refused
 * is not told whether it exists.
 */
export function createFolderCheck(roots: readonly string[], dataFolder: string): CheckFolder {
  return async cwd => {
    const real = await realFolder(cwd)
    const allowed = await Promise.all(roots.map(root => realFolder(root)))
    const isInside = allowed.some(root => root !== undefined && real !== undefined && contains(root, real))
    if (real !== undefined && isInside) {
      const named = resolve(cwd)
      const isLinked = real !== named && !roots.some(root => resolve(root) === named)
      if ((await isIn(dataFolder, real)) || (isLinked && (await isIn(real, dataFolder)))) throw closed(cwd)
      return real
    }
    throw new DragomanError(
      'folder-not-allowed',
      `Agents may not work in ${JSON.stringify(cwd.slice(0, 300))}. Use the full path of an existing folder in ${roots.join(' or ')}, or allow more folders with --root.`,
    )
  }
}

const closed = (cwd: string) =>
  new DragomanError(
    'folder-not-allowed',
    `Agents may not work in ${JSON.stringify(cwd.slice(0, 300))}: it leads to Dragoman's data folder, which agents cannot use. Choose another folder.`,
  )

/** Whether a path leads into a folder, by what the folders are and not by their names: those may be written in other letters. */
async function isIn(folder: string, path: string): Promise<boolean> {
  const wanted = await stat(folder, { bigint: true }).catch(() => null)
  if (wanted === null) return false
  const real = await realpath(path).catch(() => resolve(path))
  for (let at = real; ; at = dirname(at)) {
    const found = await stat(at, { bigint: true }).catch(() => null)
    if (found?.dev === wanted.dev && found.ino === wanted.ino) return true
    if (dirname(at) === at) return false
  }
}

async function realFolder(path: string): Promise<string | undefined> {
  if (!isAbsolute(path) || path.includes('\0')) return undefined
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? real : undefined
  } catch {
    // Missing, forbidden, a loop of links, too long: in all cases, the folder cannot be used.
    return undefined
  }
}

function contains(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
