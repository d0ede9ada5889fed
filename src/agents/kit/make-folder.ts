import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those above it, one at a time. (Node's own way never ends where a file system such as /proc says
 * that a folder is missing although the one above it is there.)
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
