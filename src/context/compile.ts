import { applyLedger, learn, learnOf } from './apply-ledger.ts'
import { takeMessage, type ContextState, type Place } from './context-state.ts'
import { decide, referring, show } from './decide.ts'
import { visibleSpans } from './deduplicate.ts'
import type { Conversation } from './formats/conversation.ts'
import type { History } from './history.ts'
import type { Decision, DecisionChange, Manifest } from './manifest.ts'
import type { Policy } from './policy.ts'
import { renderMessages } from './render-messages.ts'
import { cacheState, takeState } from './compile-cache.ts'
import { clearUnused, clearWhenCold, clearWhenFull } from './clear-old.ts'
import type { Target } from './target.ts'
import { mayChangeSent, messagesInLoop, settleThinking } from './thinking.ts'

/** The messages of a request, and the record of how they were made. */
export interface Compiled {
  readonly conversation: Conversation
  readonly manifest: Manifest
}

/** Makes the context of one request. The same history, target, policy and manifest give the same bytes. */
export function compile(
  history: History,
  target: Target,
  policy: Policy,
  previous: Manifest | null,
): Compiled {
  const state = takeState(history, previous)
  const sent = state.messages.length
  const isCold = isCacheCold(target, policy, previous)
  learn(state, history.ledger)
  const inLoop = messagesInLoop(history.messages, target)
  const first = Math.max(sent, inLoop)
  takeNew(state, history, policy, { step: target.step, first })
  const mayChange = mayChangeSent(state, target, inLoop)
  const moment = { step: target.step, sent: first, mayChange, isCold, rules: policy.rules }
  applyLedger(state, moment)
  if (mayChange && isCold && policy.cold !== null && clearWhenCold(state, target, policy.cold))
    applyLedger(state, moment)
  if (mayChange && policy.unused !== null) clearUnused(state, target, policy.unused)
  if (mayChange && policy.pressure !== null) clearWhenFull(state, target, policy.pressure)
  settleThinking(state, target, sent, previous)
  const messages = renderMessages(state)
  const manifest = manifestOf(state, target, policy, { isCold, ...keptOf(state.given, messages) })
  state.given = messages
  cacheState(manifest, state)
  return { conversation: { system: history.system, messages }, manifest }
}

/** Whether the provider's cache of the prefix has expired, or is lost whatever is sent. */
function isCacheCold({ boundary, at }: Target, { cacheSeconds }: Policy, previous: Manifest | null): boolean {
  return boundary || previous === null || at - previous.at > cacheSeconds * 1000
}

/** The number of the request, and the first message that no earlier request can have sent. */
interface Insertion {
  readonly step: number
  readonly first: number
}

function takeNew(state: ContextState, { messages }: History, policy: Policy, insertion: Insertion): void {
  for (const message of messages.slice(state.messages.length))
    for (const place of takeMessage(state, message)) insert(state, place, policy, insertion)
}

/** Decides about parts before they are sent for the first time, when making them smaller costs nothing. */
function insert(state: ContextState, place: Place, policy: Policy, { step, first }: Insertion): void {
  learnOf(state, place)
  if (policy.deduplicate && place.message >= first && mayRefer(place)) {
    const spans = visibleSpans(state, place)
    const decision = referring(state, place, { as: 'reference', rule: 'duplicate', step, spans })
    if (decision !== null) return decide(state, place, decision)
  }
  show(state, place, [])
}

/** A recalled part is sent in full. */
const mayRefer = ({ part, pair, standing }: Place): boolean =>
  part.kind === 'result' &&
  pair?.pair.family !== 'recall' &&
  !standing.isProtected &&
  !standing.refused.has('duplicate')

function keptOf(before: readonly unknown[], now: readonly unknown[]) {
  let keptMessages = 0
  while (keptMessages < before.length && before[keptMessages] === now[keptMessages]) keptMessages += 1
  return { keptMessages, isPrefixKept: keptMessages === before.length }
}

function manifestOf(
  state: ContextState,
  { step, at }: Target,
  { name }: Policy,
  cache: Pick<Manifest, 'isCold' | 'keptMessages' | 'isPrefixKept'>,
): Manifest {
  const { before, after, log } = state
  const changes = lastOfEach(state.changes)
  for (const change of changes) log.push(change)
  const { length } = log
  let made: ReadonlyMap<string, Decision> | null = null
  return {
    policy: name,
    step,
    at,
    messages: state.messages.length,
    lastMessage: state.messages.at(-1)?.message.id ?? null,
    // Made on demand: a copy for each request of a long session would cost more than compiling it.
    get decisions() {
      made ??= decisionsAfter(log, length)
      return made
    },
    changes,
    tokens: { before, after },
    ...cache,
  }
}

/** Of several changes of a part only the last is reported. */
function lastOfEach(changes: readonly DecisionChange[]): readonly DecisionChange[] {
  if (changes.length < 2) return changes
  const last = new Map(changes.map(change => [change.part, change]))
  return [...last.values()]
}

function decisionsAfter(log: readonly DecisionChange[], length: number): ReadonlyMap<string, Decision> {
  const decisions = new Map<string, Decision>()
  for (const { part, decision } of log.slice(0, length)) {
    if (decision === null) decisions.delete(part)
    else decisions.set(part, decision)
  }
  return decisions
}
