import type { ContextState, Place } from './context-state.ts'
import { decide } from './decide.ts'
import type { Part } from './formats/conversation.ts'
import type { HistoryMessage } from './history.ts'
import type { Decision, Manifest } from './manifest.ts'
import { recallId as shortHash } from './placeholder.ts'
import { renderPart } from './render-part.ts'
import type { Target } from './target.ts'

/** From this share of the window on, sending a request without its thinking is better than having it refused. */
const emergency = 0.78

/** How many messages there are up to the newest bound thinking of the running interaction; all of them were sent. */
export function messagesInLoop(messages: readonly HistoryMessage[], { thinking }: Target): number {
  if (thinking !== 'bound') return 0
  const persons = lastOfPerson(messages)
  const thought = messages.findLastIndex(({ message }) => message.parts.some(isThought))
  return thought > persons ? thought + 1 : 0
}

/** Whether parts that were sent before may be changed now: not before the thinking of the running interaction. */
export const mayChangeSent = (
  { after }: ContextState,
  { window, fixedTokens }: Target,
  inLoop: number,
): boolean => inLoop === 0 || fixedTokens + after > emergency * window

/** A new prompt ends the running interaction. */
const lastOfPerson = (messages: readonly HistoryMessage[]): number =>
  messages.findLastIndex(
    ({ message: { role, parts } }) => role === 'user' && parts.some(({ kind }) => kind !== 'result'),
  )

const isThought = ({ kind }: Place['part']) => kind === 'reasoning'

/**
 * Leaves out thinking whose preceding parts are not as its model got them, and sends it again as soon as they are.
 * This follows from other changes, and cannot be changed by itself.
 */
export function settleThinking(
  state: ContextState,
  target: Target,
  sent: number,
  previous: Manifest | null,
): void {
  const isStrange = strangers(state, target, sent, previous)
  if (!isStaleAny(state) && !state.partsOf.slice(sent).flat().some(isStrange)) return
  const known = target.thinking === 'bound' ? partsBefore(state, sent) : new Map<string, string>()
  const walk: Walk = { words: '', changed: 0 }
  // In order, because leaving one out changes what comes before the next.
  for (const place of state.partsOf.flat()) {
    const decision = state.decisions.get(place.part.id)
    if (!isThought(place.part)) walk.changed = Math.max(walk.changed, decision?.step ?? 0)
    else if (isStrange(place)) settle(state, place, omittedAt(target.step))
    else {
      const before = beforeOf(decision) ?? known.get(place.part.id)
      const isFit = fits[target.thinking](place, walk, before)
      settle(state, place, isFit ? null : omittedAt(target.step, before))
    }
    const sentAs = renderPart(state, place.part, state.decisions.get(place.part.id) ?? null)
    if (sentAs !== null) walk.words = withPart(walk.words, sentAs)
  }
}

const beforeOf = (decision: Decision | undefined) =>
  decision?.as === 'omitted' ? decision.before : undefined

/** The parts before a part, and the last request that changed any of them. */
interface Walk {
  words: string
  changed: number
}

/** Whether thinking may be sent after the parts before it. */
const fits: Readonly<
  Record<Target['thinking'], (place: Place, walk: Walk, before: string | undefined) => boolean>
> = {
  free: () => true,
  dropped: ({ step }, { changed }) => changed <= step,
  bound: (_, { words }, before) => words === before,
}

const omittedAt = (step: number, before?: string): Decision => ({
  as: 'omitted',
  rule: 'thinking',
  step,
  ...(before !== undefined && { before }),
})

function settle(state: ContextState, place: Place, wanted: Decision | null): void {
  const decision = state.decisions.get(place.part.id)
  if (decision !== undefined && decision.rule !== 'thinking') return
  if ((decision === undefined) !== (wanted === null)) decide(state, place, wanted)
}

/** Finds the answers to requests that were not made here: the parts before their thinking are unknown. */
function strangers(
  { messages }: ContextState,
  { thinking }: Target,
  sent: number,
  previous: Manifest | null,
): (place: Place) => boolean {
  if (thinking !== 'bound') return () => false
  const persons = lastOfPerson(messages)
  return ({ part, message, step }) =>
    isThought(part) && message >= sent && message < persons && step !== previous?.step
}

/** Whether any thinking comes after a part that is not sent unchanged. */
function isStaleAny({ changes, places, partsOf }: ContextState): boolean {
  let first: Place | null = null
  for (const { part } of changes) {
    const place = places.get(part)
    if (place !== undefined && (first === null || place.order < first.order)) first = place
  }
  return first !== null && partsOf.slice(first.message).some(all => all.some(({ part }) => isThought(part)))
}

/** For each piece of thinking that was sent or is new: what its model was sent before it. */
function partsBefore({ given, missing, messages }: ContextState, sent: number): Map<string, string> {
  const before = new Map<string, string>()
  const all = [
    ...given.filter(({ id }) => !missing.has(id)),
    ...messages.slice(sent).map(each => each.message),
  ]
  let words = ''
  for (const part of all.flatMap(({ parts }) => parts)) {
    if (isThought(part)) before.set(part.id, words)
    words = withPart(words, part)
  }
  return before
}

const hashes = new WeakMap<Part, string>()

/** A digest of the parts so far and one more. */
function withPart(words: string, part: Part): string {
  const known = hashes.get(part) ?? shortHash(JSON.stringify(part))
  hashes.set(part, known)
  return shortHash(`${words} ${known}`)
}
