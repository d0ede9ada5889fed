import { isObject, type Json } from '../../../protocol/json.ts'
import type { Dropped, Layout } from '../codec.ts'
import type { ContentPart, Part } from '../conversation.ts'
import { isList, listAt, without } from '../look.ts'

/** How many cache marks Anthropic accepts. */
export const mostMarks = 4

/** How many cache marks are on a block and on those inside it. */
export const marksOn = (block: Json): number =>
  (isObject(block) && isObject(block['cache_control']) ? 1 : 0) +
  listAt(block, 'content').reduce<number>((sum, inner) => sum + marksOn(inner), 0)

/** How many cache marks are on some blocks. */
export const marksIn = (blocks: readonly Json[]): number =>
  blocks.reduce<number>((sum, block) => sum + marksOn(block), 0)

/** The layout with only the newest cache marks that Anthropic accepts: the last one matters most. */
export function limitMarks(layout: Layout, dropped: Dropped[]): Layout {
  const { system, segments, conversation, isAsItCame } = layout
  if (isAsItCame) return layout
  const parts = [...system, ...segments.flatMap(segment => segment.parts)].filter(part => ownMarks(part) > 0)
  const document = conversation.native?.json
  let room = mostMarks - marksIn(listAt(document, 'tools'))
  const bare = new Map<Part, Part>()
  for (const part of parts.toReversed()) {
    room -= ownMarks(part)
    if (room >= 0) continue
    bare.set(part, withoutMarks(part))
    dropped.push({ part, why: 'unsupported', isGone: path => path.includes('/cache_control') })
  }
  if (bare.size === 0) return layout
  const chosen = (part: Part) => bare.get(part) ?? part
  return {
    ...layout,
    system: system.map(chosen),
    segments: segments.map(segment => ({ ...segment, parts: segment.parts.map(chosen) })),
  }
}

/** Those on thinking are not written. */
const ownMarks = ({ kind, native }: Part) =>
  native?.format === 'anthropic-messages' && kind !== 'reasoning' ? marksOn(native.json) : 0

const withoutMarks = (part: Part): Part =>
  part.kind === 'result' ? { ...bared(part), content: part.content.map(bared) } : bared(part)

const bared = <Of extends Part | ContentPart>(part: Of): Of =>
  part.native === undefined ? part : { ...part, native: { ...part.native, json: unmarked(part.native.json) } }

function unmarked(block: Json): Json {
  if (!isObject(block)) return block
  const bare = without(block, 'cache_control')
  const content = bare['content']
  return isList(content) ? { ...bare, content: content.map(unmarked) } : bare
}
