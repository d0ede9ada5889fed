import { Worker } from 'node:worker_threads'
import { DragomanError } from '../../protocol/error.ts'
import type { Answers, FromReader, Question } from './reader-messages.ts'

/** Starts a file of this folder as a thread, from source or as built. */
export const startThread = (name: 'writer' | 'reader', workerData: unknown) =>
  new Worker(
    new URL(`./${name}${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url),
    { workerData },
  )

/** Asks the reader thread. */
export interface Reader extends AsyncDisposable {
  ask<Type extends Question['type']>(
    question: Extract<Question, { readonly type: Type }>,
  ): Promise<Answers[Type]>
  /** Why nothing can be read any more; null when it can be. */
  health(): DragomanError | null
}

/** A thread that reads the database, so that neither commits nor the main thread wait for it. */
export function startReader(folder: string): Reader {
  const worker = startThread('reader', { folder })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let asked = 0
  let over: DragomanError | null = null

  const end = (reason: DragomanError) => {
    over ??= reason
    for (const { reject } of waiting.values()) reject(over)
    waiting.clear()
  }
  worker.on('message', (message: FromReader) => {
    const promise = waiting.get(message.number)
    waiting.delete(message.number)
    if (waiting.size === 0) worker.unref()
    if ('failure' in message)
      promise?.reject(new DragomanError(message.failure.code, message.failure.message))
    else promise?.resolve(message.answer)
  })
  worker.on('error', cause => end(readerDead(cause)))
  worker.on('exit', () => end(readerDead()))
  worker.unref()

  return {
    ask<Type extends Question['type']>(question: Extract<Question, { readonly type: Type }>) {
      if (over !== null) return Promise.reject(over)
      const promise = Promise.withResolvers<unknown>()
      waiting.set(++asked, promise)
      worker.ref()
      worker.postMessage({ number: asked, question })
      return promise.promise as Promise<Answers[Type]>
    },
    health: () => over,
    async [Symbol.asyncDispose]() {
      end(new DragomanError('journal-closed', 'The journal was closed.'))
      await worker.terminate()
    },
  }
}

const readerDead = (cause?: unknown) =>
  new DragomanError(
    'journal-unreachable',
    'The thread that reads the journal has stopped. Restart the server; nothing was lost.',
    { cause },
  )
