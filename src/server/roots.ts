import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { DragomanError } from '../protocol/error.ts'

/** Checks a folder in which an agent will work, and returns its real path. */
export type CheckFolder = (cwd: string) => Promise<string>

/**
 * Allows folders whose real path is inside a root and outside the data folder. A parent of the data folder is allowed, such
 * as the home folder, unless a link other than a root leads to it: tools do not touch the data folder. A refusal does not
 * reveal whether the folder exists.
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

/** Whether a path is inside a folder, compared by identity, because names may differ in case. */
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
