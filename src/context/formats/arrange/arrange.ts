import type { Layout, Segment, Target } from '../codec.ts'
import type { CallPart, Conversation, Part } from '../conversation.ts'
import { answer } from './answer.ts'
import { cut, isInPlace } from './cut.ts'
import { drop, dropDangling, type Dropped, whyNot } from './drop.ts'
import { fold } from './fold.ts'
import { join } from './join.ts'
import { nameCalls } from './name-calls.ts'
import { pair, type Pairs } from './pair.ts'

/** A layout, and what found no place in it. */
export interface Arranged extends Layout {
  readonly dropped: readonly Dropped[]
}

/** Lays a conversation out so that the provider takes it. What is valid already stays as it is. */
export function arrange(original: Conversation, target: Target): Arranged {
  const { conversation, pairs } = named(original, target)
  const dropped: Dropped[] = [...pairs.loose].map(([part, why]) => ({ part, why }))
  const { system, segments } = cut(conversation, target)
  const written = drop(withoutLoose(segments, pairs, target, dropped), target, dropped)
  const isInside = target.rules.results === 'inside'
  const answered = isInside ? fold(written, target, pairs) : answer(written, target, pairs)
  const led = target.rules.needsFollower ? dropDangling(answered, dropped) : answered
  const joined = isInside ? led : join(led, target)
  return {
    system: system.filter(part => {
      const why = whyNot(part, 'system', target)
      if (why !== null) dropped.push({ part, why })
      return why === null
    }),
    segments: target.rules.startsWithUser ? opened(joined) : joined,
    conversation,
    dropped,
  }
}

/** The conversation with calls under names that the provider takes; results also learn their tool. */
function named(
  original: Conversation,
  target: Target,
): { readonly conversation: Conversation; readonly pairs: Pairs } {
  const pairs = pair(original)
  const names = nameCalls(original, target.rules.callId)
  let isChanged = false
  const messages = original.messages.map(message => {
    const parts = message.parts.map(part => rename(part, names, pairs))
    if (parts.every((part, at) => part === message.parts[at])) return message
    isChanged = true
    return { ...message, parts }
  })
  if (!isChanged) return { conversation: original, pairs }
  const conversation = { ...original, messages }
  return { conversation, pairs: pair(conversation) }
}

/** Without results that answer nothing, and without those whose call is not in the message where it should be. */
const withoutLoose = (segments: readonly Segment[], pairs: Pairs, target: Target, dropped: Dropped[]) =>
  segments.map(segment => ({
    ...segment,
    parts: segment.parts.filter(part => {
      if (part.kind !== 'result') return true
      const call = pairs.callOf.get(part)
      if (call === undefined) return false
      if (target.rules.results === 'inside') return true
      const isAlone = isInPlace(part, target) !== isInPlace(call, target)
      const isElsewhere = isInPlace(part, target) && !segment.parts.includes(call)
      if (isAlone || isElsewhere) dropped.push({ part, why: 'orphan' })
      return !isAlone && !isElsewhere
    }),
  }))

function rename(part: Part, names: ReadonlyMap<CallPart, string>, pairs: Pairs): Part {
  if (part.kind === 'call') return names.has(part) ? { ...part, call: names.get(part) ?? part.call } : part
  if (part.kind !== 'result') return part
  const call = pairs.callOf.get(part)
  const name = call === undefined ? undefined : names.get(call)
  if (name === undefined && (part.tool !== null || call === undefined)) return part
  return { ...part, call: name ?? part.call, tool: part.tool ?? call?.tool ?? null }
}

/** Some providers want the user to speak first. */
function opened(segments: readonly Segment[]): readonly Segment[] {
  if (segments[0]?.role !== 'assistant') return segments
  const text = '(The conversation begins with the assistant.)'
  return [{ role: 'user', parts: [{ id: 'opening', kind: 'text', text }], message: null }, ...segments]
}
