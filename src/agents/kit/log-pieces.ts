import type { LogPieces } from '../program.ts'

const pieceLength = 8 * 1024
const waitingLimit = 64 * 1024

/** Creates a log for one reader, who may be slower than the writer. */
export function createLogPieces(): LogPieces {
  let waiting: string[] = []
  let length = 0
  let dropped = 0
  let ended = false
  let wake = () => undefined as void

  const add = (text: string) => {
    for (let at = 0; at < text.length; at += pieceLength) {
      const piece = text.slice(at, at + pieceLength)
      if (length + piece.length > waitingLimit) {
        dropped += piece.length
        continue
      }
      waiting.push(piece)
      length += piece.length
    }
    wake()
  }
  const take = () => {
    const pieces =
      dropped > 0 ? [...waiting, `[… ${dropped} characters of the log were dropped …]\n`] : waiting
    waiting = []
    length = 0
    dropped = 0
    return pieces
  }
  return {
    add,
    end() {
      ended = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        yield* take()
        if (waiting.length > 0) continue
        if (ended) return
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    },
  }
}
