import { chunksOf, type Entry, type Event, type ThreadChunk } from 'dragoman'
import { jsonIn } from './cut-text.ts'

/** Which way words went; most entries are nobody's words. */
export type Direction = 'from-agent' | 'to-agent' | 'none'

/** An entry as the inspector shows it: the native words on one side, the chunks they gave on the other. */
export interface Line {
  readonly seq: number
  readonly at: number
  readonly type: Event['type']
  readonly direction: Direction
  /** The native line as it came, or its beginning; null where no words were said. */
  readonly raw: string | null
  /** The size of a line of which this is only the beginning. */
  readonly wholeBytes: number | null
  /** Whether some of its bytes are no text, and shown as a sign. */
  readonly hasOtherBytes: boolean
  readonly chunks: readonly ThreadChunk[]
  /** What the entry says beside the words and the chunks. */
  readonly facts: Readonly<Record<string, unknown>>
}

/** An entry as the inspector shows it. */
export function lineOf({ seq, at, event }: Entry): Line {
  const isSpeech = event.type === 'agent-spoke' || event.type === 'host-spoke'
  const { type, chunks: _, raw: __, rawBytes: ___, rawFile: ____, ...facts } = event as SomeEvent
  return {
    seq,
    at,
    type,
    direction: !isSpeech ? 'none' : type === 'agent-spoke' ? 'from-agent' : 'to-agent',
    raw: isSpeech ? event.raw : null,
    wholeBytes: isSpeech ? (event.rawFile?.bytes ?? null) : null,
    hasOtherBytes: isSpeech && event.rawBytes !== undefined,
    chunks: chunksOf(event),
    facts,
  }
}

type SomeEvent = { readonly type: Event['type'] } & Readonly<Record<string, unknown>>

/** Where the words went, for people. */
export const directionWords: Readonly<Record<Direction, string>> = {
  'from-agent': 'from the agent',
  'to-agent': 'to the agent',
  none: 'not a message',
}

const shown = 240

/** The beginning of what an entry holds, for one line of a list. */
export function beginningOf({ raw, facts }: Line): string {
  const text = raw ?? JSON.stringify(facts)
  return text.length > shown ? `${text.slice(0, shown)} …` : text
}

/** Longer lines are not read only to be named. */
const mostNamed = 20_000

/** What the agent itself calls the kind of line, or the type of the entry where nobody spoke. */
export function kindOf({ raw, type }: Line): string | null {
  if (raw === null) return type
  const json = raw.length > mostNamed ? undefined : jsonIn(raw)
  // A line that is too long to be read usually says it near its beginning.
  if (json === undefined)
    return /^\s*\{.*?"(?:type|method)" ?: ?"([\w./-]{1,60})"/.exec(raw.slice(0, 2000))?.[1] ?? null
  const fields = Object(json) as Readonly<Record<string, unknown>>
  return [fields['type'], fields['method'], fields['dragoman']].find(name => typeof name === 'string') ?? null
}

/** The time of day to the millisecond. */
export function clock(at: number): string {
  const time = new Date(at)
  const two = (count: number) => String(count).padStart(2, '0')
  const day = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`
  return `${day}.${String(time.getMilliseconds()).padStart(3, '0')}`
}
