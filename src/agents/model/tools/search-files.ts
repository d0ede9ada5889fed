import { matchesGlob } from 'node:path'
import { openFileWithin } from '../../kit/confined.ts'
import type { Reach } from '../../kit/data-folder.ts'
import { walk } from './walk.ts'

/** A search: the expression and the place. */
export interface SearchTask {
  readonly reach: Reach
  /** The real path of the folder or file to search. */
  readonly root: string
  readonly pattern: string
  readonly glob: string | null
  readonly ignoreCase: boolean
  readonly limit: number
}

const largest = 2 * 1024 * 1024
const longestLine = 400
const deepest = 40

/** The matching lines, each with its file and number; one more than the limit when there are more. */
export async function searchFiles(task: SearchTask): Promise<readonly string[]> {
  const expression = new RegExp(task.pattern, task.ignoreCase ? 'i' : '')
  const hits: string[] = []
  for await (const path of filesOf(task)) {
    const text = await textOf(task, path)
    if (text === null) continue
    for (const [at, line] of text.split('\n').entries()) {
      if (!expression.test(line)) continue
      hits.push(`${path}:${at + 1}:${line.length > longestLine ? `${line.slice(0, longestLine)}…` : line}`)
      if (hits.length > task.limit) return hits
    }
  }
  return hits
}

async function* filesOf({ reach, root, glob }: SearchTask): AsyncGenerator<string> {
  let isFolder = false
  for await (const found of walk(reach, root, deepest)) {
    isFolder = true
    if (found.isFolder) continue
    const name = found.path.split('/').at(-1) ?? ''
    if (glob === null || matchesGlob(found.path, glob) || matchesGlob(name, glob)) yield found.path
  }
  if (!isFolder) yield ''
}

async function textOf({ reach, root }: SearchTask, path: string): Promise<string | null> {
  try {
    await using file = await openFileWithin(reach, path === '' ? root : `${root}/${path}`)
    const { size } = await file.stat()
    if (size > largest) return null
    const bytes = await file.readFile()
    return bytes.subarray(0, 8_000).includes(0) ? null : bytes.toString('utf8')
  } catch {
    // A file that cannot be read, or leads outside, has no matches.
    return null
  }
}
