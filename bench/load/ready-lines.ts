/** The lines of one session that wait to be taken, as in a pipe. */
export interface ReadyLines extends AsyncIterable<readonly string[]> {
  put(lines: readonly string[]): void
  close(): void
}

/** An empty pipe. A read gives all that is ready at once, as for the runner of a session. */
export function createReadyLines(): ReadyLines {
  let ready: string[] = []
  let isClosed = false
  let news = Promise.withResolvers<void>()

  return {
    put(lines) {
      ready.push(...lines)
      news.resolve()
    },
    close() {
      isClosed = true
      news.resolve()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        await news.promise
        news = Promise.withResolvers()
        if (isClosed) return
        const lines = ready
        ready = []
        yield lines
      }
    },
  }
}
