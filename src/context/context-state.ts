import type { Message, Part, ResultPart } from './formats/conversation.ts'
import type { HistoryMessage, ToolPair } from './history.ts'
import { untouched, type Ledger, type Standing } from './ledger.ts'
import { hasLines, linesOf, type Lines } from './lines.ts'
import type { Decision, DecisionChange } from './manifest.ts'
import { textsOf } from './part-texts.ts'
import { tokensOf } from './tokens.ts'
import { createVisibleLines, leastLines, type VisibleLines } from './visible-lines.ts'

/** One part, its position, and its tokens in full and as it is sent. */
export interface Place {
  readonly part: Part
  /** Counts the parts of the history. */
  readonly order: number
  /** The place of its message in the history. */
  readonly message: number
  readonly step: number
  readonly at: number
  readonly interaction: string
  readonly role: Message['role']
  readonly name: string | null
  readonly tokens: number
  sent: number
  standing: Standing
  lines: Lines | null
  pair: PairPlace | null
}

/** A tool pair in its place. */
export interface PairPlace {
  readonly pair: ToolPair
  readonly call: Place
  result: (Place & { readonly part: ResultPart }) | null
}

/**
 * The state of a conversation that is compiled request after request. It only saves work: it can be made again
 * from the history and the last manifest.
 */
export interface ContextState {
  readonly messages: HistoryMessage[]
  readonly places: Map<string, Place>
  readonly partsOf: Place[][]
  readonly pairs: PairPlace[]
  /** The pairs whose results are sent, in no order. */
  readonly open: Set<PairPlace>
  /** The pairs that have no result. */
  readonly pending: Set<PairPlace>
  readonly byCallId: Map<string, PairPlace>
  readonly decisions: Map<string, Decision>
  /** Every decision in order: the length of this list at an earlier request shows which decisions applied then. */
  readonly log: DecisionChange[]
  readonly visible: VisibleLines
  /** For each part that others refer to: the parts that refer to it. */
  readonly holders: Map<string, Set<string>>
  /** The last step that used a resource, and the last that changed it. */
  readonly touched: Map<string, number>
  readonly edited: Map<string, number>
  readonly rendered: (Message | null)[]
  /** The synthetic messages for missing results. */
  readonly missing: Map<string, Message>
  /** Messages that must be rendered again. */
  readonly dirty: Set<number>
  /** How many parts there are. */
  count: number
  changes: DecisionChange[]
  /** The ledger that the states of the parts come from. */
  ledger: Ledger | null
  /** The parts that have changes in the ledger, and those of them that must be decided again. */
  readonly changed: Set<Place>
  fresh: Set<Place>
  /** The messages of the last request. */
  given: readonly Message[]
  before: number
  after: number
}

/** Before the first message. */
export const createContextState = (): ContextState => ({
  messages: [],
  places: new Map(),
  partsOf: [],
  pairs: [],
  open: new Set(),
  pending: new Set(),
  byCallId: new Map(),
  decisions: new Map(),
  log: [],
  visible: createVisibleLines(),
  holders: new Map(),
  touched: new Map(),
  edited: new Map(),
  rendered: [],
  missing: new Map(),
  dirty: new Set(),
  count: 0,
  changes: [],
  ledger: null,
  changed: new Set(),
  fresh: new Set(),
  given: [],
  before: 0,
  after: 0,
})

/** Adds a message, and gives the positions of its parts. */
export function takeMessage(state: ContextState, placed: HistoryMessage): readonly Place[] {
  const message = state.messages.length
  state.messages.push(placed)
  state.rendered.push(null)
  state.dirty.add(message)
  const first = state.count
  state.count += placed.message.parts.length
  const places = placed.message.parts.map((part, index) =>
    placeOf(placed, message, index, part, first + index),
  )
  state.partsOf.push(places)
  for (const place of places) {
    state.places.set(place.part.id, place)
    state.before += place.tokens
    state.after += place.tokens
  }
  for (const pair of placed.pairs) takePair(state, pair)
  for (const place of places) joinPair(state, place)
  return places
}

function placeOf(placed: HistoryMessage, message: number, index: number, part: Part, order: number): Place {
  const { step, at, interaction, names } = placed
  const { role } = placed.message
  const tokens = tokensOf(part)
  const place = { part, order, message, step, at, interaction, role, name: names?.[index] ?? null }
  return { ...place, tokens, sent: tokens, lines: null, pair: null, standing: untouched }
}

function takePair(state: ContextState, pair: ToolPair): void {
  const call = state.places.get(pair.call)
  if (call === undefined) return
  const placed: PairPlace = { pair, call, result: null }
  call.pair = placed
  state.pairs.push(placed)
  state.pending.add(placed)
  state.byCallId.set(pair.callId, placed)
  for (const { key } of pair.resources) {
    state.touched.set(key, pair.step)
    if (pair.effect === 'write') state.edited.set(key, pair.step)
  }
}

function joinPair(state: ContextState, place: Place): void {
  if (!isResult(place)) return
  const pair = state.byCallId.get(place.part.call)
  if (pair === undefined || pair.result !== null) return
  pair.result = place
  state.pending.delete(pair)
  state.open.add(pair)
  place.pair = pair
}

const isResult = (place: Place): place is Place & { readonly part: ResultPart } =>
  place.part.kind === 'result'

const noLines = linesOf([])

/** The lines of a part, split once; none if there are too few to compare. */
export function linesOfPlace(place: Place): Lines {
  if (place.lines === null) {
    const texts = place.part.kind === 'reasoning' ? [] : textsOf(place.part)
    place.lines = texts.some(text => hasLines(text, leastLines)) ? linesOf(texts) : noLines
  }
  return place.lines
}

/** The pairs whose results are sent, the oldest first. */
export const openPairs = (state: ContextState): readonly PairPlace[] =>
  [...state.open].toSorted((a, b) => a.call.order - b.call.order)

/** Whether a part is still sent, in full or as references. */
export function isShown(state: ContextState, part: string): boolean {
  const as = state.decisions.get(part)?.as
  return as !== 'placeholder' && as !== 'omitted'
}
