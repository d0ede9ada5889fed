import { chunksOf, type Entry, type Event, type ThreadChunk } from 'dragoman'
import { jsonIn } from './cut-text.ts'

/** The direction of a line; most entries are not lines of either side. */
export type Direction = 'from-agent' | 'to-agent' | 'none'

/** An entry as the inspector shows it: the native line on one side, its chunks on the other. */
export interface Line {
  readonly seq: number
  readonly at: number
  readonly type: Event['type']
  readonly direction: Direction
  /** The native line, or its beginning; null for an entry without one. */
  readonly raw: string | null
  /** The size of a line of which this is only the beginning. */
  readonly wholeBytes: number | null
  /** Whether some of its bytes are not valid text and are shown as a symbol. */
  readonly hasOtherBytes: boolean
  readonly chunks: readonly ThreadChunk[]
  /** The other fields of the entry. */
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

/** Labels for the directions. */
export const directionWords: Readonly<Record<Direction, string>> = {
  'from-agent': 'from the agent',
  'to-agent': 'to the agent',
  none: 'not a message',
}

const shown = 240

/** The beginning of an entry, for one line of a list. */
export function beginningOf({ raw, facts }: Line): string {
  const text = raw ?? JSON.stringify(facts)
  return text.length > shown ? `${text.slice(0, shown)} …` : text
}

/** Longer lines are not parsed for a name. */
const mostNamed = 20_000

/** The agent's own name for this kind of line, or the entry's type where there is no line. */
export function kindOf({ raw, type }: Line): string | null {
  if (raw === null) return type
  const json = raw.length > mostNamed ? undefined : jsonIn(raw)
  // A line too long to parse usually names its type near the beginning.
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
