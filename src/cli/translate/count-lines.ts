import type { Agent } from '../../agents/agent.ts'
import type { Chunk } from '../../protocol/chunk.ts'
import { counted } from '../terminal/amounts.ts'
import type { RecordedLine } from './read-recording.ts'
import type { TranslatedLine } from './translate-recording.ts'

/** Counts the lines of a recording and their chunks. */
export interface LineCount {
  read(lines: AsyncIterable<RecordedLine>): AsyncIterable<RecordedLine>
  made(lines: AsyncIterable<TranslatedLine>): AsyncIterable<TranslatedLine>
  /** The message for a recording without visible content; null if it had some. */
  verdict(agent: Pick<Agent, 'name' | 'lines'>): string | null
}

/** Starts at zero. */
export function countLines(): LineCount {
  let all = 0
  let isUnderstood = false
  let isShown = false
  return {
    async *read(lines) {
      for await (const line of lines) {
        all += 1
        yield line
      }
    },
    async *made(lines) {
      for await (const line of lines) {
        isShown ||= line.chunks.length > 0
        isUnderstood ||= line.chunks.some(({ chunk }) => isMeaning(chunk))
        yield line
      }
    },
    verdict({ name, lines = name }) {
      if (all === 0 || isUnderstood) return null
      const none = all === 1 ? 'The line' : `None of the ${counted(all, 'line')}`
      if (!isShown) return `${none} ${all === 1 ? 'has no visible content' : 'has visible content'}.`
      const understood = all === 1 ? 'is not recognized' : 'is recognized'
      return `${none} ${understood} as a line of ${lines}. To read transcripts that an agent saved on disk, use "dragoman import".`
    },
  }
}

/** Notices of lines that could not be read. */
const unreadable: ReadonlySet<string> = new Set([
  'not-json',
  'not-an-object',
  'line-too-long',
  'nested-too-deep',
])

/** Chunks without visible content. */
const frame: ReadonlySet<Chunk['type']> = new Set([
  'start',
  'finish',
  'message-metadata',
  'data-session',
  'data-limits',
  'data-unknown',
] as const)

function isMeaning(chunk: Chunk): boolean {
  if (chunk.type === 'data-notice') return !unreadable.has(chunk.data.code)
  return !frame.has(chunk.type)
}
