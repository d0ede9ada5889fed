import type { ContextState, Place } from './context-state.ts'
import { decide } from './decide.ts'
import type { Part } from './formats/conversation.ts'
import type { HistoryMessage } from './history.ts'
import type { Decision, Manifest } from './manifest.ts'
import { recallId as shortHash } from './placeholder.ts'
import { renderPart } from './render-part.ts'
import type { Target } from './target.ts'

/** From this share of the window on, a request that goes through without its thinking beats one that is refused. */
const emergency = 0.78

/** How many messages stand up to the newest bound thinking of an interaction that is running; all of them were sent. */
export function messagesInLoop(messages: readonly HistoryMessage[], { thinking }: Target): number {
  if (thinking !== 'bound') return 0
  const persons = lastOfPerson(messages)
  const thought = messages.findLastIndex(({ message }) => message.parts.some(isThought))
  return thought > persons ? thought + 1 : 0
}

/** Whether words that were sent before may be changed now: not before the thinking of an interaction that is running. */
export const mayChangeSent = (
  { after }: ContextState,
  { window, fixedTokens }: Target,
  inLoop: number,
): boolean => inLoop === 0 || fixedTokens + after > emergency * window

/** A person's new words end what was running. */
const lastOfPerson = (messages: readonly HistoryMessage[]): number =>
  messages.findLastIndex(
    ({ message: { role, parts } }) => role === 'user' && parts.some(({ kind }) => kind !== 'result'),
  )

const isThought = ({ kind }: Place['part']) => kind === 'reasoning'

/**
 * Leaves out the thinking that does not follow the words that its model was sent, and sends it again as soon as it does.
 * What follows from other changes needs no wish of its own, and takes none.
 */
export function settleThinking(
  state: ContextState,
  target: Target,
  sent: number,
  previous: Manifest | null,
): void {
  const isStrange = strangers(state, target, sent, previous)
  if (!isStaleAny(state) && !state.partsOf.slice(sent).flat().some(isStrange)) return
  const heard = target.thinking === 'bound' ? heardBefore(state, sent) : new Map<string, string>()
  const walk: Walk = { words: '', changed: 0 }
  // In order, since each that is left out is a word less before the next.
  for (const place of state.partsOf.flat()) {
    const decision = state.decisions.get(place.part.id)
    if (!isThought(place.part)) walk.changed = Math.max(walk.changed, decision?.step ?? 0)
    else if (isStrange(place)) settle(state, place, omittedAt(target.step))
    else {
      const before = beforeOf(decision) ?? heard.get(place.part.id)
      const isFit = fits[target.thinking](place, walk, before)
      settle(state, place, isFit ? null : omittedAt(target.step, before))
    }
    const sentAs = renderPart(state, place.part, state.decisions.get(place.part.id) ?? null)
    if (sentAs !== null) walk.words = withPart(walk.words, sentAs)
  }
}

const beforeOf = (decision: Decision | undefined) =>
  decision?.as === 'omitted' ? decision.before : undefined

/** What stands before a part, and the last request that changed any of it. */
interface Walk {
  words: string
  changed: number
}

/** Whether thinking may be sent behind what stands before it. Where the provider drops, shown again is the same. */
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

/** Finds the answers to requests that were not made here: nobody knows what stood before their thinking. */
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

/** Whether any thinking stands behind a part that is not sent as it was. */
function isStaleAny({ changes, places, partsOf }: ContextState): boolean {
  let first: Place | null = null
  for (const { part } of changes) {
    const place = places.get(part)
    if (place !== undefined && (first === null || place.order < first.order)) first = place
  }
  return first !== null && partsOf.slice(first.message).some(all => all.some(({ part }) => isThought(part)))
}

/** For each piece of thinking that was sent or is new: what its model was sent before it. */
function heardBefore({ given, missing, messages }: ContextState, sent: number): Map<string, string> {
  const heard = new Map<string, string>()
  const said = [
    ...given.filter(({ id }) => !missing.has(id)),
    ...messages.slice(sent).map(each => each.message),
  ]
  let words = ''
  for (const part of said.flatMap(({ parts }) => parts)) {
    if (isThought(part)) heard.set(part.id, words)
    words = withPart(words, part)
  }
  return heard
}

const hashes = new WeakMap<Part, string>()

/** A short name for some words and one part more. */
function withPart(words: string, part: Part): string {
  const known = hashes.get(part) ?? shortHash(JSON.stringify(part))
  hashes.set(part, known)
  return shortHash(`${words} ${known}`)
}
