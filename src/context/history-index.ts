import type { Part, Role } from './formats/conversation.ts'
import type { History, HistoryMessage, PairOutcome, ToolPair } from './history.ts'

/** A part in its place. */
export interface IndexedPart {
  readonly part: Part
  readonly role: Role
  readonly interaction: string
  readonly step: number
  readonly name: string | null
  pair: IndexedPair | null
}

/** A tool pair in its place, with its result as soon as there is one. */
export interface IndexedPair {
  readonly pair: ToolPair
  /** Counts the pairs of the history. */
  readonly order: number
  readonly call: IndexedPart
  result: IndexedPart | null
  outcome: PairOutcome
  /** When its result came. */
  at: number
}

/** Finds parts and pairs of a history that grows. */
export interface HistoryIndex {
  /** Reads new messages. A history whose earlier messages changed is read again from the beginning. */
  follow(history: History): void
  part(id: string): IndexedPart | null
  pairs(): readonly IndexedPair[]
  /** The pairs about a resource, the oldest first. */
  about(key: string): readonly IndexedPair[]
}

interface Known {
  messages: HistoryMessage[]
  readonly parts: Map<string, IndexedPart>
  readonly pairs: IndexedPair[]
  readonly byCallId: Map<string, IndexedPair>
  readonly byResource: Map<string, IndexedPair[]>
}

const nothing = (): Known => ({
  messages: [],
  parts: new Map(),
  pairs: [],
  byCallId: new Map(),
  byResource: new Map(),
})

/** Creates an empty index. */
export function createHistoryIndex(): HistoryIndex {
  let known = nothing()
  return {
    follow({ system, messages }) {
      if (!startsWith(messages, known.messages)) known = nothing()
      for (const part of system) known.parts.set(part.id, ofSystem(part))
      for (const message of messages.slice(known.messages.length)) take(known, message)
    },
    part: id => known.parts.get(id) ?? null,
    pairs: () => known.pairs,
    about: key => known.byResource.get(key) ?? [],
  }
}

function startsWith(messages: readonly HistoryMessage[], known: readonly HistoryMessage[]): boolean {
  for (let at = 0; at < known.length; at += 1) if (known[at] !== messages[at]) return false
  return true
}

const ofSystem = (part: Part): IndexedPart => ({
  part,
  role: 'system',
  interaction: '',
  step: 0,
  name: null,
  pair: null,
})

function take(known: Known, placed: HistoryMessage): void {
  known.messages.push(placed)
  const { message, interaction, step, names } = placed
  for (const [index, part] of message.parts.entries())
    known.parts.set(part.id, {
      part,
      role: message.role,
      interaction,
      step,
      name: names?.[index] ?? null,
      pair: null,
    })
  for (const pair of placed.pairs) takePair(known, pair, placed.at)
  for (const part of message.parts) takeResult(known, part, placed.at)
}

function takePair(known: Known, pair: ToolPair, at: number): void {
  const call = known.parts.get(pair.call)
  if (call === undefined) return
  const indexed: IndexedPair = { pair, order: known.pairs.length, call, result: null, outcome: 'pending', at }
  call.pair = indexed
  known.pairs.push(indexed)
  known.byCallId.set(pair.callId, indexed)
  for (const { key } of pair.resources) {
    const about = known.byResource.get(key)
    if (about === undefined) known.byResource.set(key, [indexed])
    else about.push(indexed)
  }
}

function takeResult(known: Known, part: Part, at: number): void {
  if (part.kind !== 'result') return
  const pair = known.byCallId.get(part.call)
  const result = known.parts.get(part.id)
  if (pair === undefined || pair.result !== null || result === undefined) return
  pair.result = result
  pair.outcome = part.isError ? 'failure' : 'success'
  pair.at = at
  result.pair = pair
}
