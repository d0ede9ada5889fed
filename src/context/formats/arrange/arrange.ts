import type { Dropped, Layout, Segment, Target } from '../codec.ts'
import type { CallPart, Conversation, Part, ResultPart } from '../conversation.ts'
import { answer } from './answer.ts'
import { cut, isFree, isInPlace } from './cut.ts'
import { drop, dropDangling, whyNot } from './drop.ts'
import { fold } from './fold.ts'
import { join } from './join.ts'
import { nameCalls, nameTools } from './name-calls.ts'
import { emptyText, openingText } from './opening.ts'
import { pair, type Pairs } from './pair.ts'

/** A layout, and the parts that do not fit into it. */
export interface Arranged extends Layout {
  readonly dropped: readonly Dropped[]
}

/** Lays a conversation out so that the provider takes it. What is valid already stays as it is. */
export function arrange(original: Conversation, target: Target, isAsItCame = false): Arranged {
  const { conversation, pairs, reshaped } = named(original, target)
  const goesOn = target.rules.goesOn?.(original) === true
  const isElsewhere = (part: ResultPart) =>
    isFree(part, target) ||
    (goesOn && part.native?.format === target.format && pairs.loose.get(part) === 'orphan')
  const dropped: Dropped[] = [
    ...[...pairs.loose].flatMap(([part, why]) => (isElsewhere(part) ? [] : [{ part, why }])),
    ...reshaped.map((part): Dropped => ({ part, why: 'reshaped' })),
  ]
  const { system, segments } = cut(conversation, target)
  const written = drop(withoutLoose(segments, { pairs, isElsewhere }, target, dropped), target, dropped)
  const isInside = target.rules.results === 'inside'
  const answered = isInside ? fold(written, target, pairs) : answer(written, target, pairs)
  const led = target.rules.needsFollower ? dropDangling(answered, dropped) : answered
  const joined = isInside ? led : join(led, target)
  const isTrimmed = target.rules.trimsEnd === true && !isAsItCame
  const ended = isTrimmed ? trimmed(joined, target, dropped) : joined
  const layout: Layout = {
    system: system.filter(part => {
      const why = whyNot(part, 'system', target)
      if (why !== null) dropped.push({ part, why })
      return why === null
    }),
    segments: opened(ended, target, isAsItCame),
    conversation,
    isAsItCame,
  }
  return { ...(target.limit?.(layout, dropped) ?? layout), dropped }
}

interface Named {
  readonly conversation: Conversation
  readonly pairs: Pairs
  /** Parts that go out in other words than they came in, though those alone would do. */
  readonly reshaped: readonly Part[]
}

/** The conversation with calls under names that the provider takes; results also learn their tool. */
function named(original: Conversation, target: Target): Named {
  const pairs = pair(original)
  const names = nameCalls(original, pairs, target)
  const tools = nameTools(original, target)
  const reshaped: Part[] = []
  let isChanged = false
  const messages = original.messages.map(message => {
    const parts = message.parts.map(part => rename(part, { names, tools, pairs, target }))
    if (parts.every((part, at) => part === message.parts[at])) return message
    reshaped.push(...message.parts.filter(({ native }, at) => native !== parts[at]?.native))
    isChanged = true
    return { ...message, parts }
  })
  if (!isChanged) return { conversation: original, pairs, reshaped }
  const conversation = { ...original, messages }
  return { conversation, pairs: pair(conversation), reshaped }
}

interface Answers {
  readonly pairs: Pairs
  /** Whether a result answers a call in what the provider keeps. */
  readonly isElsewhere: (part: ResultPart) => boolean
}

/** Without results that answer nothing, and without those whose call is not in the message where it should be. */
const withoutLoose = (
  segments: readonly Segment[],
  { pairs, isElsewhere: answersElsewhere }: Answers,
  target: Target,
  dropped: Dropped[],
) =>
  segments.map(segment => ({
    ...segment,
    parts: segment.parts.filter(part => {
      if (part.kind !== 'result') return true
      const call = pairs.callOf.get(part)
      if (call === undefined) return answersElsewhere(part)
      if (target.rules.results === 'inside') return true
      const isAlone = isInPlace(part, target) !== isInPlace(call, target)
      const isElsewhere = isInPlace(part, target) && !isFree(part, target) && !segment.parts.includes(call)
      if (isAlone || isElsewhere) dropped.push({ part, why: 'orphan' })
      return !isAlone && !isElsewhere
    }),
  }))

interface Renaming {
  readonly names: ReadonlyMap<CallPart, string>
  readonly tools: ReadonlyMap<string, string>
  readonly pairs: Pairs
  readonly target: Target
}

const toolNameOf = (part: CallPart, { tools, target }: Renaming) =>
  isInPlace(part, target) ? part.tool : (tools.get(part.tool) ?? part.tool)

function rename(part: Part, renaming: Renaming): Part {
  const { pairs, target } = renaming
  if (part.kind !== 'call' && part.kind !== 'result') return part
  const call = part.kind === 'call' ? part : pairs.callOf.get(part)
  if (call === undefined) return part
  const result = part.kind === 'result' ? part : pairs.resultOf.get(part)
  // Both halves of a pair have the same form.
  if (result !== undefined && isFree(call, target) !== isFree(result, target) && isFree(part, target))
    return withoutNative(renamed(part, call, renaming))
  return renamed(part, call, renaming)
}

function withoutNative(part: Part): Part {
  const { native: _native, ...rest } = part
  return rest
}

function renamed(part: CallPart | ResultPart, call: CallPart, renaming: Renaming): Part {
  const { names, target } = renaming
  const name = names.get(call) ?? part.call
  const wanted = toolNameOf(call, renaming)
  // Parts of the same provider stay unchanged, also where a result names another tool than its call.
  const isKept =
    part.native?.format === target.format && target.rules.sameTool !== true && wanted === call.tool
  const tool = (isKept ? part.tool : null) ?? wanted
  return name === part.call && tool === part.tool ? part : { ...part, call: name, tool }
}

/** Words of the assistant at the very end, without the white space after them. */
function trimmed(segments: readonly Segment[], { format }: Target, dropped: Dropped[]): readonly Segment[] {
  const last = segments.at(-1)
  const part = last?.parts.at(-1)
  if (last?.role !== 'assistant' || part?.kind !== 'text' || part.text === part.text.trimEnd())
    return segments
  dropped.push({ part, why: 'reshaped' })
  const { native, ...words } = { ...part, text: part.text.trimEnd() }
  const end = native?.format === format ? { ...words, native } : words
  return [...segments.slice(0, -1), { ...last, parts: [...last.parts.slice(0, -1), end] }]
}

/** Some providers require a first message of the user, or at least one message. */
function opened(segments: readonly Segment[], { rules }: Target, mayBeEmpty: boolean): readonly Segment[] {
  const first = segments.findIndex(({ role }) => role !== 'system')
  const isEmpty = segments.length === 0 && rules.needsMessages === true && !mayBeEmpty
  if (!isEmpty && !(rules.startsWithUser && segments[first]?.role === 'assistant')) return segments
  const text = isEmpty ? emptyText : openingText
  const opening: Segment = { role: 'user', parts: [{ id: 'opening', kind: 'text', text }], message: null }
  return segments.toSpliced(Math.max(first, 0), 0, opening)
}
