import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { DragomanError } from '../protocol/error.ts'

/** Looks at a folder in which an agent is to work, and gives its real path. */
export type CheckFolder = (cwd: string) => Promise<string>

/**
 * Allows folders that really lie in one of the roots, whatever links and dots their path has. What is refused is not
 * told whether it exists.
 */
export function createFolderCheck(roots: readonly string[]): CheckFolder {
  return async cwd => {
    const real = await realFolder(cwd)
    const allowed = await Promise.all(roots.map(root => realFolder(root)))
    const isInside = allowed.some(root => root !== undefined && real !== undefined && contains(root, real))
    if (real !== undefined && isInside) return real
    throw new DragomanError(
      'folder-not-allowed',
      `No agent may work in ${JSON.stringify(cwd.slice(0, 300))}: it must be the whole path of a folder that exists in ${roots.join(' or ')}. More can be allowed with --root.`,
    )
  }
}

async function realFolder(path: string): Promise<string | undefined> {
  if (!isAbsolute(path) || path.includes('\0')) return undefined
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? real : undefined
  } catch {
    // Missing, forbidden, a loop of links, too long: whatever it is, it is no folder for us.
    return undefined
  }
}

function contains(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
