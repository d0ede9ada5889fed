import type { Message, MessagePart } from 'dragoman'
import { textOfOutput } from 'dragoman/client/work-log'
import type { Hit } from './search-texts.ts'

/** A place in a session that was found, by the server or in the loaded messages. */
export type FoundPlace = Pick<Hit, 'messageId' | 'part' | 'kind' | 'snippet' | 'ranges' | 'seq'>

/**
 * Finds words and texts in quotes in loaded messages, in their order. Null where only the server can search: for
 * patterns, which could stop this page, and for filters.
 */
export function findLoaded(messages: readonly Message[], query: string): readonly FoundPlace[] | null {
  const wanted = wantedIn(query)
  if (wanted === null) return null
  return messages.flatMap(message =>
    message.parts.flatMap((part, index) =>
      textsOf(message, part).flatMap(({ kind, text }) => {
        const found = wanted.length === 0 ? null : cut(text, wanted)
        const name = part.type === 'dynamic-tool' ? part.toolCallId : String(index)
        return found === null
          ? []
          : [{ messageId: message.id, part: `${message.id}/${name}`, kind, seq: 0, ...found }]
      }),
    ),
  )
}

const isForServer = (word: string) => word.startsWith('/') || /^(?:[a-z]{2,}:|cost[<>])/.test(word)

function wantedIn(query: string): readonly string[] | null {
  const pieces = [...query.matchAll(/"([^"]*)"?|[^\s"]+/g)]
  if (pieces.some(([piece]) => isForServer(piece))) return null
  return pieces.map(([piece, quoted]) => (quoted ?? piece).toLowerCase()).filter(piece => piece.trim() !== '')
}

interface Text {
  readonly kind: Hit['kind']
  readonly text: string
}

function textsOf({ role }: Message, part: MessagePart): readonly Text[] {
  if (part.type === 'text') return [{ kind: role === 'assistant' ? 'answer' : 'prompt', text: part.text }]
  if (part.type === 'reasoning') return [{ kind: 'thinking', text: part.text }]
  if (part.type !== 'dynamic-tool') return []
  const input: Text = { kind: 'tool-input', text: JSON.stringify(part.input ?? null) }
  if (part.state === 'output-error') return [input, { kind: 'tool-output', text: part.errorText }]
  if (part.state !== 'output-available') return [input]
  return [input, { kind: 'tool-output', text: textOfOutput(part.output) }]
}

const before = 60
const longest = 240

/** The piece around the first of the wanted texts; null where one is missing. */
function cut(text: string, wanted: readonly string[]): Pick<Hit, 'snippet' | 'ranges'> | null {
  const lower = text.toLowerCase()
  const first = wanted.map(each => lower.indexOf(each))
  if (first.includes(-1)) return null
  const from = Math.max(0, Math.min(...first) - before)
  const snippet = text.slice(from, from + longest).replaceAll(/\s/g, ' ')
  return { snippet, ranges: rangesIn(snippet, wanted) }
}

/** The places of texts in another one, in order and without overlaps. */
export function rangesIn(text: string, wanted: readonly string[]): [number, number][] {
  const lower = text.toLowerCase()
  // Lower case may be longer; then its places are not those of the text.
  if (lower.length !== text.length) return []
  const all: [number, number][] = []
  for (const each of wanted)
    for (let at = lower.indexOf(each); at >= 0; at = lower.indexOf(each, at + each.length))
      all.push([at, at + each.length])
  const ranges: [number, number][] = []
  for (const [from, to] of all.toSorted(([a, end], [b, other]) => a - b || other - end))
    if (from >= (ranges.at(-1)?.[1] ?? 0)) ranges.push([from, to])
  return ranges
}
