import type { ContextState } from './context-state.ts'
import { linesOfPlace } from './context-state.ts'
import type { Part } from './formats/conversation.ts'
import type { Lines } from './lines.ts'
import type { Decision, Span } from './manifest.ts'
import { textsOf, withTexts } from './part-texts.ts'
import { referenceText } from './placeholder.ts'
import { tokensOf } from './tokens.ts'

/** A text of a call's input that is shorter than this stays when the call is cleared. */
const shortInput = 200

/** Whether a text of a call's input goes when the call is cleared. */
export const isLongInput = (text: string): boolean => text.length > shortInput

/** Where the parts are found that others refer to. */
type Places = Pick<ContextState, 'places'>

/** How many tokens are sent of a part. */
export function tokensWith(state: Places, part: Part, decision: Decision | null): number {
  const rendered = renderPart(state, part, decision)
  return rendered === null ? 0 : tokensOf(rendered)
}

/** A part as it is sent; null when it is left out. */
export function renderPart(state: Places, part: Part, decision: Decision | null): Part | null {
  if (decision === null) return part
  switch (decision.as) {
    case 'omitted':
      return null
    case 'placeholder':
      return cleared(part, decision)
    case 'annotated':
      return annotated(part, decision.text)
    case 'reference':
      return withReferences(state, part, decision.spans)
  }
}

function cleared(part: Part, decision: Decision & { readonly as: 'placeholder' }): Part {
  const { text } = decision
  if (part.kind !== 'result') return withTexts(part, each => (isLongInput(each) ? text : each))
  const kept = keptLines(part, decision)
  return { ...part, content: [{ kind: 'text', id: `${part.id}:placeholder`, text: kept }] }
}

function keptLines(part: Part, decision: Decision & { readonly as: 'placeholder' }): string {
  const { text, keepFirst = 0, keepLast = 0 } = decision
  if (keepFirst + keepLast === 0) return text
  const lines = textsOf(part).join('\n').trimEnd().split('\n')
  const last = keepLast === 0 ? [] : lines.slice(keepFirst).slice(-keepLast)
  return [...lines.slice(0, keepFirst), text, ...last].join('\n')
}

function annotated(part: Part, text: string): Part {
  if (part.kind !== 'result') return part
  return { ...part, content: [...part.content, { kind: 'text', id: `${part.id}:note`, text }] }
}

function withReferences(state: Places, part: Part, spans: readonly Span[]): Part {
  const place = state.places.get(part.id)
  if (place === undefined) return part
  const lines = linesOfPlace(place)
  let text = -1
  return withTexts(part, each => {
    text += 1
    return withoutSpans(state, lines, text, each, spans)
  })
}

function withoutSpans(
  state: Places,
  lines: Lines,
  index: number,
  text: string,
  spans: readonly Span[],
): string {
  const own = spans.filter(span => lines.text[span.from] === index)
  if (own.length === 0) return text
  let written = ''
  let from = 0
  for (const span of own) {
    const number = lines.number[span.from] ?? -1
    written += text.slice(from, lines.start[span.from])
    written += referenceText(state, span, number === -1 ? null : number)
    from = lines.end[span.from + span.lines - 1] ?? text.length
  }
  return written + text.slice(from)
}
