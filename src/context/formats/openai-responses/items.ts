import { sameJson } from '../../../projections/same-json.ts'
import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { dropDangling } from '../arrange/drop.ts'
import type { Dropped, Layout } from '../codec.ts'
import type { Part } from '../conversation.ts'
import { listAt, textAt, without } from '../look.ts'

/** The layout without computer calls that have no output, and without the reasoning that led to them. */
export function limitItems(layout: Layout, dropped: Dropped[]): Layout {
  const parts = layout.segments.flatMap(segment => segment.parts)
  const seen = new Set(parts.flatMap(part => callOf(part, 'computer_call_output') ?? []))
  const isOpen = (part: Part) => {
    const call = callOf(part, 'computer_call')
    return call !== undefined && !seen.has(call)
  }
  const open = parts.filter(isOpen)
  if (open.length === 0) return layout
  dropped.push(...open.map(part => ({ part, why: 'orphan' }) as const))
  const segments = layout.segments.flatMap(segment => {
    const kept = segment.parts.filter(part => !isOpen(part))
    return kept.length > 0 || segment.parts.length === 0 ? [{ ...segment, parts: kept }] : []
  })
  return { ...layout, segments: dropDangling(segments, dropped) }
}

const callOf = ({ native }: Part, type: string) =>
  native?.format === 'openai-responses' && textAt(native.json, 'type') === type
    ? textAt(native.json, 'call_id')
    : undefined

/** Uses each id once: reasoning that was split is joined again, and any other item loses its repeated id. */
export function withOwnIds(items: readonly Json[]): readonly Json[] {
  const used = new Set<string>()
  const own: Json[] = []
  for (const item of items) {
    const id = itemId(item)
    const before = own.at(-1)
    const whole = isObject(item) && isObject(before) && itemId(before) === id ? merged(before, item) : null
    if (whole !== null) own[own.length - 1] = whole
    else own.push(isObject(item) && id !== undefined && used.has(id) ? without(item, 'id') : item)
    if (id !== undefined) used.add(id)
  }
  return own
}

/** The id of an item itself; one that only refers to another has none. */
export const itemId = (item: Json): string | undefined =>
  textAt(item, 'type') === 'item_reference' ? undefined : textAt(item, 'id')

/** Two pieces of the same reasoning, joined; null when they are something else. */
function merged(before: JsonObject, after: JsonObject): JsonObject | null {
  if (itemId(after) === undefined || before['type'] !== 'reasoning' || after['type'] !== 'reasoning')
    return null
  if (sameJson(before, after)) return before
  const seals = [before, after].flatMap(item => textAt(item, 'encrypted_content') ?? [])
  if (new Set(seals).size > 1) return null
  return { ...before, ...after, summary: [...listAt(before, 'summary'), ...listAt(after, 'summary')] }
}
