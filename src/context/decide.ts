import { linesOfPlace, type ContextState, type Place } from './context-state.ts'
import type { Decision, Span } from './manifest.ts'
import { tokensWith } from './render-part.ts'

/** Sets the decision about a part; null includes it in full again. Updates tokens, references and visible lines. */
export function decide(state: ContextState, place: Place, decision: Decision | null): void {
  const { id } = place.part
  const before = state.decisions.get(id)
  if (before?.as === 'reference') forget(state, id, before.spans)
  if (decision === null) state.decisions.delete(id)
  else state.decisions.set(id, decision)
  if (decision?.as === 'reference') remember(state, id, decision.spans)
  const sent = tokensWith(state, place.part, decision)
  state.after += sent - place.sent
  place.sent = sent
  state.changes.push({ part: id, decision, tokens: { before: place.tokens, after: sent } })
  state.dirty.add(place.message)
  keepCount(state, place, decision)
  if (decision === null || decision.as === 'annotated') show(state, place, [])
  else if (decision.as === 'reference') show(state, place, decision.spans)
  else state.visible.hide(id)
}

/** References instead of some lines; null if they are not shorter than the lines. */
export function referring(
  state: ContextState,
  { part, tokens }: Place,
  decision: Decision & { readonly as: 'reference' },
): Decision | null {
  return decision.spans.length > 0 && tokensWith(state, part, decision) < tokens ? decision : null
}

/** A pair is open as long as its result is sent. */
function keepCount(state: ContextState, { pair, part }: Place, decision: Decision | null): void {
  if (pair === null || part.kind !== 'result') return
  if (decision?.as === 'placeholder' || decision?.as === 'omitted') state.open.delete(pair)
  else state.open.add(pair)
}

/** Marks the lines of a part that are sent unchanged as visible. */
export function show(state: ContextState, place: Place, spans: readonly Span[]): void {
  const lines = linesOfPlace(place)
  if (lines.count === 0) return
  const { id } = place.part
  state.visible.hide(id)
  let from = 0
  for (const span of spans) {
    state.visible.show(place.order, id, lines, from, span.from - from)
    from = span.from + span.lines
  }
  state.visible.show(place.order, id, lines, from, lines.count - from)
}

function remember(state: ContextState, holder: string, spans: readonly Span[]): void {
  for (const { source } of spans) {
    const known = state.holders.get(source)
    if (known === undefined) state.holders.set(source, new Set([holder]))
    else known.add(holder)
  }
}

function forget(state: ContextState, holder: string, spans: readonly Span[]): void {
  for (const { source } of spans) state.holders.get(source)?.delete(holder)
}
