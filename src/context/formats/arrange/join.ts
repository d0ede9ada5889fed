import type { Segment, Target } from '../codec.ts'
import { isInPlace, isNativeSegment } from './cut.ts'

/** Neighbours of one role as one message, where they are not native or the provider would refuse them apart. */
export function join(segments: readonly Segment[], target: Target): readonly Segment[] {
  if (!target.rules.joins) return segments
  const joined: Segment[] = []
  for (const segment of segments) {
    let whole = segment
    // A message that a call is joined to may in turn have to be joined to the one before it.
    for (let last = joined.at(-1); last && belongs(last, whole, target); last = joined.at(-1)) {
      whole = both(last, whole, target)
      joined.pop()
    }
    joined.push(whole)
  }
  return joined
}

function belongs(before: Segment, after: Segment, target: Target): boolean {
  const { rules } = target
  const isBothUser = before.role !== 'assistant' && after.role !== 'assistant'
  const isMixable = rules.mixesResults && isBothUser && before.role !== 'system' && after.role !== 'system'
  if (before.role !== after.role && !isMixable) return false
  if (before.role === 'system') return false
  if (!isNativeSegment(before, target) || !isNativeSegment(after, target)) return true
  const hasCalls = ({ parts }: Segment) =>
    parts.some(part => part.kind === 'call' && !isInPlace(part, target))
  if (before.role !== 'assistant' || rules.mustJoin === 'none') return false
  return hasCalls(before) || (rules.mustJoin === 'calls' && hasCalls(after))
}

const both = (before: Segment, after: Segment, { rules }: Target): Segment => ({
  role: before.role === 'tool' ? after.role : before.role,
  parts: [...before.parts, ...apart(before, after, rules.between)],
  message: before.message ?? after.message,
})

/** The parts that come after, their first words apart from the last ones before. What is sealed stays as it is. */
function apart({ parts: before, role }: Segment, { parts }: Segment, between: string | undefined) {
  const [first, ...rest] = parts
  const isRunTogether = role === 'assistant' && before.at(-1)?.kind === 'text' && first?.kind === 'text'
  if (between === undefined || !isRunTogether || first.seal !== undefined) return parts
  return [{ ...first, text: between + first.text }, ...rest]
}
