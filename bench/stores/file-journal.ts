import { Worker } from 'node:worker_threads'
import type { Bell, Journal } from '../../src/journal/journal.ts'
import { fullBatch } from '../../src/journal/sqlite/batch.ts'
import { splitEvent } from '../../src/journal/format/run.ts'
import { createPassingJournal, type Keep } from './passing-journal.ts'

/** A journal that only appends: the least that saving can cost. */
export interface FileJournal extends AsyncDisposable {
  readonly journal: Journal
}

/**
 * Appends the same bytes as our journal (each event's JSON and its raw) to a plain file in a worker thread, with
 * `fdatasync`, batched in the same way: sent when idle, gathered while a batch is written, and under load one full
 * batch is sent ahead.
 */
export function openFileJournal(path: string, bell: Bell): FileJournal {
  const worker = new Worker(new URL('./file-writer.ts', import.meta.url), { workerData: { path } })
  const flights: (readonly PromiseWithResolvers<void>[])[] = []
  let texts: string[] = []
  let gathered = 0
  let gathering: PromiseWithResolvers<void>[] = []
  let isScheduled = false

  const mustWait = () => flights.length > 1 || (flights.length === 1 && gathered < fullBatch)
  const flush = () => {
    isScheduled = false
    if (gathering.length === 0 || mustWait()) return
    const text = texts.join('')
    flights.push(gathering)
    texts = []
    gathering = []
    gathered = 0
    worker.postMessage(text)
  }
  const keep: Keep = async events => {
    const parts = events.map(splitEvent)
    for (const { json, raw } of parts) {
      texts.push(json, raw ?? '')
      gathered += json.length + (raw?.length ?? 0)
    }
    const promise = Promise.withResolvers<void>()
    gathering.push(promise)
    if (!isScheduled && !mustWait()) {
      isScheduled = true
      setImmediate(flush)
    }
    await promise.promise
    return parts.map(({ json }) => json)
  }
  worker.on('message', () => {
    const written = flights.shift() ?? []
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
