import { workerData } from 'node:worker_threads'
import { lowerPriority } from './lower-priority.ts'
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
