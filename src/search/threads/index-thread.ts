import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { createIndexing } from '../indexing.ts'
import { openSqliteEngine } from '../sqlite/sqlite-engine.ts'
import { answerCalls } from './answer-calls.ts'
import type { IndexCalls } from './messages.ts'

// Writes the index, so that neither the main thread nor a search waits for it.
lowerPriority()
const { path } = workerData as { readonly path: string }
const engine = openSqliteEngine(path)
const indexing = createIndexing(engine)

answerCalls<IndexCalls>({
  restart: () => indexing.restart(),
  add: ({ session, texts }) => indexing.add(session, texts),
  commit: () => indexing.commit(),
  async forget(session) {
    await indexing.forget(session)
    return null
  },
  async check() {
    const isThere = engine.check()
    // What was taken for the old index must not be saved in the new one.
    if (!isThere) await indexing.restart()
    return isThere
  },
  async remake() {
    engine.remake()
    await indexing.restart()
    return null
  },
})

/** Lets all other threads go first. Only Linux has a priority for each thread. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    const thread = readlinkSync('/proc/thread-self').split('/').at(-1)
    setPriority(Number(thread), constants.priority.PRIORITY_LOW)
  } catch {
    // Without /proc, or where it is not allowed, the thread keeps its priority.
  }
}
