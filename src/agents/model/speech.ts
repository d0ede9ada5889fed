import type { Raw } from '../../protocol/event.ts'

/** Lines that wait for one reader. Whoever says much waits until some of it was heard. */
export interface Speech extends AsyncIterable<Raw> {
  /** Resolves when there is room for the next. */
  say(line: string): Promise<void>
  /** Resolves when the reader has taken all, and asks for more. */
  heard(): Promise<void>
  end(): void
}

const roomFor = 1024 * 1024

/** Makes a speech; it has one reader. */
export function createSpeech(): Speech {
  const lines: string[] = []
  const now = { size: 0, isEnded: false, isRead: false, isWaiting: false }
  let [news, change] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const tell = () => {
    change.resolve()
    change = Promise.withResolvers()
  }
  const isHeard = () => !now.isRead || now.isEnded || (now.isWaiting && lines.length === 0)
  const hasRoom = () => now.size <= roomFor || now.isEnded
  return {
    async say(line) {
      if (now.isEnded) return
      lines.push(line)
      now.size += line.length
      now.isWaiting = false
      news.resolve()
      while (!hasRoom()) await change.promise
    },
    async heard() {
      while (!isHeard()) await change.promise
    },
    end() {
      now.isEnded = true
      news.resolve()
      tell()
    },
    async *[Symbol.asyncIterator]() {
      now.isRead = true
      for (;;) {
        for (let raw = lines.shift(); raw !== undefined; raw = lines.shift()) {
          now.size -= raw.length
          tell()
          yield { raw }
        }
        if (now.isEnded) return
        now.isWaiting = true
        news = Promise.withResolvers()
        tell()
        await news.promise
      }
    },
  }
}
