import type { Raw } from '../../protocol/event.ts'

/** Lines that wait for one reader. A writer waits until the reader has taken some of them. */
export interface LineQueue extends AsyncIterable<Raw> {
  /** Resolves when there is room for the next. */
  push(line: string): Promise<void>
  /** Resolves when the reader has taken all, and asks for more. */
  drained(): Promise<void>
  end(): void
}

const roomFor = 1024 * 1024

/** Makes a queue with one reader. */
export function createLineQueue(): LineQueue {
  const lines: string[] = []
  const now = { size: 0, isEnded: false, isRead: false, isWaiting: false }
  let [news, change] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const notify = () => {
    change.resolve()
    change = Promise.withResolvers()
  }
  const isDrained = () => !now.isRead || now.isEnded || (now.isWaiting && lines.length === 0)
  const hasRoom = () => now.size <= roomFor || now.isEnded
  return {
    async push(line) {
      if (now.isEnded) return
      lines.push(line)
      now.size += line.length
      now.isWaiting = false
      news.resolve()
      while (!hasRoom()) await change.promise
    },
    async drained() {
      while (!isDrained()) await change.promise
    },
    end() {
      now.isEnded = true
      news.resolve()
      notify()
    },
    async *[Symbol.asyncIterator]() {
      now.isRead = true
      for (;;) {
        for (let raw = lines.shift(); raw !== undefined; raw = lines.shift()) {
          now.size -= raw.length
          notify()
          yield { raw }
        }
        if (now.isEnded) return
        now.isWaiting = true
        news = Promise.withResolvers()
        notify()
        await news.promise
      }
    },
  }
}
