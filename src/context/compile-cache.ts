import {
  createContextState,
  isShown,
  linesOfPlace,
  takeMessage,
  type ContextState,
  type Place,
} from './context-state.ts'
import { decide, referring, show } from './decide.ts'
import type { History } from './history.ts'
import { sameLine } from './lines.ts'
import type { Manifest, Span } from './manifest.ts'
import { renderMessages } from './render-messages.ts'

/**
 * States by the manifest of their request. The next request takes its state out of the cache. Compiling from
 * the same manifest again gives the same result, only slower, because the state is made again.
 */
const states = new WeakMap<Manifest, ContextState>()

/** Saves the state for the next request. */
export const cacheState = (manifest: Manifest, state: ContextState): void => void states.set(manifest, state)

/** The state after the last request: from the cache, or made from history and manifest. */
export function takeState(history: History, previous: Manifest | null): ContextState {
  if (previous === null) return createContextState()
  const kept = states.get(previous)
  states.delete(previous)
  const state = kept !== undefined && continues(history, kept) ? kept : restoreState(history, previous)
  state.changes = []
  if (state !== kept) repair(state)
  return state
}

function continues({ messages }: History, state: ContextState): boolean {
  const { messages: known } = state
  // An index and no iterator: this is done over all messages, for each request.
  for (let at = 0; at < known.length; at += 1) if (known[at] !== messages[at]) return false
  return true
}

/** Makes the state from a history and a manifest. */
export function restoreState({ messages }: History, { messages: count, decisions }: Manifest): ContextState {
  const state = createContextState()
  for (const message of messages.slice(0, count)) takeMessage(state, message)
  for (const place of state.places.values()) {
    const decision = decisions.get(place.part.id)
    if (decision === undefined) show(state, place, [])
    else decide(state, place, decision)
  }
  for (const [part, decision] of decisions) state.log.push({ part, decision })
  state.given = renderMessages(state)
  return state
}

/** A history that changed after a manifest may lack the sources of references: those lines are written out. */
function repair(state: ContextState): void {
  for (const place of state.places.values()) {
    const decision = state.decisions.get(place.part.id)
    if (decision?.as !== 'reference') continue
    const spans = decision.spans.filter(span => holds(state, place, span))
    if (spans.length < decision.spans.length)
      decide(state, place, referring(state, place, { ...decision, spans }))
  }
}

function holds(state: ContextState, place: Place, { from, lines, source, sourceFrom }: Span): boolean {
  const origin = state.places.get(source)
  if (origin === undefined || !isShown(state, source)) return false
  const [own, theirs] = [linesOfPlace(place), linesOfPlace(origin)]
  if (from + lines > own.count || sourceFrom + lines > theirs.count) return false
  for (let line = 0; line < lines; line += 1)
    if (!sameLine(own, from + line, theirs, sourceFrom + line)) return false
  return true
}
