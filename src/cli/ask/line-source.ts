import { createInterface } from 'node:readline'

/** Lines that a person types. */
export interface LineSource extends Disposable {
  /** The next line typed from now on; null at the end of input or an abort. */
  next(signal: AbortSignal): Promise<string | null>
}

/** Reads lines from a terminal. Input without an open question is dropped, because an answer must follow its question. */
export function createLineSource(input: NodeJS.ReadableStream): LineSource {
  const reader = createInterface({ input, terminal: false })
  let waiting: ((line: string | null) => void) | null = null
  let closed = false
  const deliver = (line: string | null) => {
    waiting?.(line)
    waiting = null
  }
  reader.on('line', deliver)
  reader.on('close', () => {
    closed = true
    deliver(null)
  })
  return {
    next(signal) {
      if (closed || signal.aborted) return Promise.resolve(null)
      const { promise, resolve } = Promise.withResolvers<string | null>()
      waiting = resolve
      const giveUp = () => deliver(null)
      signal.addEventListener('abort', giveUp, { once: true })
      return promise.finally(() => signal.removeEventListener('abort', giveUp))
    },
    [Symbol.dispose]: () => reader.close(),
  }
}
