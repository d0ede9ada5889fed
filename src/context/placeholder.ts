import type { ContextState } from './context-state.ts'
import type { ToolPair } from './history.ts'
import type { Span } from './manifest.ts'

/** The longest name: a placeholder with two of them stays below 40 tokens. */
const longestName = 36

/** The short, stable name by which a part that is not sent can be recalled. */
export function recallId(part: string): string {
  let low = 0x811c9dc5
  let high = 0x9e3779b9
  for (let at = 0; at < part.length; at += 1) {
    const code = part.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
  }
  return (low >>> 0).toString(36).padStart(7, '0') + (high >>> 0).toString(36).padStart(7, '0').slice(0, 3)
}

/** The placeholder of a result: what it was, why it was cleared, how to get it back. Shorter than 40 tokens. */
export function placeholderOf({ pair }: { readonly pair: ToolPair }, why: string, part: string): string {
  return `[${nameOf(pair)} cleared: ${shorten(why)}. If needed, recall ${recallId(part)}.]`
}

/** The shortest placeholder that still shows how to get the part back, for parts that are shorter than any other. */
export const briefly = (part: string): string => `[cleared: recall ${recallId(part)}]`

/** The note after a result that stays although it is outdated. */
export const annotationOf = (why: string): string => `[Note: ${shorten(why)}.]`

/** The reference that replaces lines that are visible elsewhere. */
export function referenceText(state: Pick<ContextState, 'places'>, span: Span, first: number | null): string {
  const source = state.places.get(span.source)
  const where = source?.pair ? nameOf(source.pair.pair) : 'an earlier message'
  const kind = source?.part.kind === 'call' ? 'input of ' : ''
  const own = first === null ? `${span.lines} lines` : `lines ${first}-${first + span.lines - 1}`
  const theirs = `${span.sourceFrom + 1}-${span.sourceFrom + span.lines}`
  return `[${own}: same as lines ${theirs} of ${kind}${where}, ${recallId(span.source)}]`
}

/** A tool call in a few words. */
function nameOf({ tool, resources }: ToolPair): string {
  const [resource] = resources
  if (resource === undefined) return shorten(tool)
  const name = resource.key.slice(resource.key.indexOf(':') + 1)
  const range = resource.range === undefined ? '' : ` from line ${resource.range.from}`
  return `${shorten(tool, 16)} ${shorten(name)}${range}`
}

/** The end of a name is more specific than its beginning. */
const shorten = (name: string, longest = longestName): string => {
  const line = name.replaceAll(/\s+/g, ' ').trim()
  return line.length <= longest ? line : `…${line.slice(1 - longest)}`
}
