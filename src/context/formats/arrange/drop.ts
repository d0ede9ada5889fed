import type { Dropped, Segment, Target } from '../codec.ts'
import type { LossReason, Part, Role } from '../conversation.ts'
import { createMemory } from '../memory.ts'

const rememberWhy = createMemory<LossReason | null>()

/** What readers call JSON that is nothing in its format: it goes nowhere. */
const never = ['not-a-part', 'not-a-message', 'unknown-role']

/** Why a part cannot be written; null when it can. */
export const whyNot = (part: Part, role: Role, target: Target): LossReason | null =>
  rememberWhy(part, `${target.format} ${target.provider} ${role}`, () => findWhyNot(part, role, target))

function findWhyNot(part: Part, role: Role, target: Target): LossReason | null {
  if (part.kind === 'unknown' && never.includes(part.name)) return 'unsupported'
  const isEmpty = part.kind === 'text' && part.text.trim() === ''
  const isNative = part.native?.format === target.format && target.isSound(part.native.json, role)
  if (isNative || target.serialize(part, role) !== null) return null
  if (isEmpty) return 'empty'
  return part.seal !== undefined && part.seal.provider !== target.provider ? 'foreign-seal' : 'unsupported'
}

/** The segments with only what can be written. */
export function drop(segments: readonly Segment[], target: Target, dropped: Dropped[]): readonly Segment[] {
  return segments.flatMap(segment => {
    const parts = segment.parts.filter(part => {
      const why = whyNot(part, segment.role, target)
      if (why !== null) dropped.push({ part, why })
      return why === null
    })
    const { keepsShells } = target.rules
    const mayBeShell = keepsShells === 'all' || keepsShells === segment.role
    const isLeft = parts.length > 0 || (mayBeShell && segment.message?.parts.length === 0)
    return isLeft ? [{ ...segment, parts }] : []
  })
}

/** Drops reasoning at the end of an assistant's turn: nothing follows it, so the provider refuses it. */
export function dropDangling(segments: readonly Segment[], dropped: Dropped[]): readonly Segment[] {
  const kept: Segment[] = []
  let isFollowed = false
  for (const segment of segments.toReversed()) {
    if (segment.role !== 'assistant') isFollowed = false
    const parts = segment.parts.toReversed().filter(part => {
      if (segment.role !== 'assistant') return true
      isFollowed ||= part.kind !== 'reasoning'
      if (!isFollowed) dropped.push({ part, why: 'orphan' })
      return isFollowed
    })
    if (parts.length > 0 || segment.parts.length === 0) kept.push({ ...segment, parts: parts.toReversed() })
  }
  return kept.toReversed()
}
