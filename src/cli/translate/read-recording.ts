import { readLines } from '../../agents/kit/line-reader.ts'
import type { RawMessage } from '../../agents/agent.ts'

/** One line of a recording and its number, counted from 1. */
export interface RecordedLine {
  readonly line: number
  readonly message: RawMessage
}

const newline = 0x0a

/** Reads the native lines of an agent. Blank lines are skipped, but counted. */
export async function* readRecording(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<RecordedLine> {
  let line = 0
  // The reader asks for a piece only after it gave all lines of the previous one, so the count matches the line.
  async function* oneByOne() {
    let begins = true
    for await (const piece of bytes)
      for (let from = 0, end = 0; from < piece.length; from = end) {
        end = piece.indexOf(newline, from) + 1 || piece.length
        if (begins) line += 1
        begins = piece[end - 1] === newline
        yield piece.subarray(from, end)
      }
  }
  // Without a data folder, long lines cannot be moved to files, so they stay in memory.
  const held = { dataFolder: '', limit: Number.POSITIVE_INFINITY }
  for await (const { raw } of readLines(oneByOne(), held))
    yield { line, message: { from: 'agent', text: raw } }
}
