import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and its missing parents, one at a time. (Node's recursive `mkdir` never ends on a file system such as
 * /proc, which reports that a folder is missing although its parent exists.)
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  const missing: string[] = []
  for (let at = resolve(folder); !(await isThere(at)) && dirname(at) !== at; at = dirname(at))
    missing.unshift(at)
  for (const each of missing) {
    try {
      await mkdir(each, mode === undefined ? {} : { mode })
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
