import { Worker } from 'node:worker_threads'
import type { Bell, Journal } from '../../src/journal/journal.ts'
import { splitEvent } from '../../src/journal/sqlite/run.ts'
import { createPassingJournal, type Keep } from './passing-journal.ts'

/** A journal that only appends: the least that saving can cost. */
export interface FileJournal extends AsyncDisposable {
  readonly journal: Journal
}

/**
 * Appends the same bytes as our journal (each event's JSON and its raw) to a plain file in a worker thread,
 * with `fdatasync`, batched in the same way: sent at once when idle, gathered while a batch is written.
 */
export function openFileJournal(path: string, bell: Bell): FileJournal {
  const worker = new Worker(new URL('./file-writer.ts', import.meta.url), { workerData: { path } })
  let texts: string[] = []
  let gathering: PromiseWithResolvers<void>[] = []
  let flying: readonly PromiseWithResolvers<void>[] | undefined
  let isScheduled = false

  const flush = () => {
    isScheduled = false
    if (flying !== undefined || gathering.length === 0) return
    const text = texts.join('')
    flying = gathering
    texts = []
    gathering = []
    worker.postMessage(text)
  }
  const keep: Keep = async events => {
    const parts = events.map(splitEvent)
    for (const { json, raw } of parts) texts.push(json, raw ?? '')
    const promise = Promise.withResolvers<void>()
    gathering.push(promise)
    if (!isScheduled && flying === undefined) {
      isScheduled = true
      queueMicrotask(flush)
    }
    await promise.promise
    return parts.map(({ json }) => json)
  }
  worker.on('message', () => {
    const written = flying ?? []
    flying = undefined
    flush()
    for (const promise of written) promise.resolve()
  })

  return {
    journal: createPassingJournal(bell, keep),
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}
