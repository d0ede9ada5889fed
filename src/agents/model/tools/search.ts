import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import * as z from 'zod/mini'
import { confinedPath } from '../../kit/confined.ts'
import type { SearchTask } from './search-files.ts'
import { bounded, defineTool, ToolRefusal } from './tool.ts'

const mostHits = 200
const patience = 20_000

/** Searches the text of files. */
export const search = defineTool({
  name: 'search',
  description:
    'Searches the text of files in the working folder, or in a folder or file of it, for a regular expression of JavaScript. Returns "file:line:text" for each hit. "glob", such as "*.ts", selects files.',
  schema: z.strictObject({
    pattern: z.string().check(z.minLength(1)),
    path: z.optional(z.string()),
    glob: z.optional(z.string()),
    ignore_case: z.optional(z.boolean()),
  }),
  asks: false,
  async run({ pattern, path = '.', glob, ignore_case: ignoreCase = false }, { cwd, dataFolder, signal }) {
    const reach = { cwd, dataFolder }
    const root = await confinedPath(reach, path)
    try {
      void new RegExp(pattern)
    } catch (error) {
      throw new ToolRefusal(`Not a valid regular expression: ${(error as Error).message}`)
    }
    const task = { reach, root, pattern, glob: glob ?? null, ignoreCase, limit: mostHits }
    const hits = await searchApart(task, signal)
    if (hits.length === 0) return 'No matches.'
    const more = hits.length > mostHits ? `\n[There are more: only ${mostHits} are shown.]` : ''
    return bounded(hits.slice(0, mostHits).join('\n')) + more
  },
})

/** Searches in a separate thread, which is ended when it takes too long or its caller stops waiting. */
async function searchApart(task: SearchTask, signal: AbortSignal): Promise<readonly string[]> {
  signal.throwIfAborted()
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const file = fileURLToPath(new URL(`./search-worker.${ending}`, import.meta.url))
  const worker = new Worker(file, { workerData: task, env: {}, stdin: false })
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
  worker.on('message', resolve)
  worker.on('error', reject)
  worker.on('exit', () => reject(new ToolRefusal('The search ended without a result.')))
  const late = setTimeout(
    () =>
      reject(new ToolRefusal('The search took too long. Search a smaller folder, or use a simpler pattern.')),
    patience,
  )
  const abort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await promise
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', abort)
    await worker.terminate()
  }
}
