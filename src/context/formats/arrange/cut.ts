import type { Segment, Target } from '../codec.ts'
import type { CallPart, Conversation, Message, Part, ResultPart } from '../conversation.ts'

/** Whether a provider ran a tool itself and its own words say so, or asks for no pairs: then call and result stay where they are. */
export const isInPlace = (part: Part, target: Target): boolean =>
  (part.kind === 'call' || part.kind === 'result') &&
  ((part.isProviderExecuted === true && part.native?.format === target.format) || isFree(part, target))

/** Whether a call or result is taken without the other. */
export const isFree = (part: CallPart | ResultPart, { rules }: Target): boolean =>
  rules.standsFree?.(part) === true

/** A result in a separate message. */
export const isResult = (part: Part, target: Target): boolean =>
  part.kind === 'result' && !isInPlace(part, target)

/** The system prompt and the rest, each message cut where the provider wants another one. */
export function cut(
  { system, messages }: Conversation,
  target: Target,
): { readonly system: readonly Part[]; readonly segments: readonly Segment[] } {
  const isApart = target.rules.system === 'apart'
  const first = messages.findIndex(message => message.role !== 'system' || isAssistants(message))
  const leading = isApart ? messages.slice(0, first === -1 ? messages.length : first) : []
  return {
    system: [...system, ...leading.flatMap(({ parts }) => parts)],
    segments: messages.slice(leading.length).flatMap(message => cutMessage(message, target)),
  }
}

/** Calls and reasoning belong to the assistant, whatever role the message has. */
const isAssistants = ({ parts }: Message) => parts.some(({ kind }) => kind === 'call' || kind === 'reasoning')

function cutMessage(message: Message, target: Target): readonly Segment[] {
  const { role, parts } = message
  if (role !== 'assistant' && isAssistants(message))
    return cutMessage({ id: message.id, role: 'assistant', parts }, target)
  if (role === 'system') {
    const isApart = target.rules.system === 'apart'
    return [{ role: isApart ? 'user' : 'system', parts, message: isApart ? null : message }]
  }
  if (target.rules.results === 'inside') return [{ role, parts, message }]
  const isNative = message.native?.format === target.format
  const hasResults = parts.some(part => isResult(part, target))
  if (role === 'tool' || !hasResults || (role === 'user' && isNative)) return [{ role, parts, message }]
  return role === 'assistant' ? cutSteps(message, target) : cutResults(message, target)
}

/** Results first, then the words. */
function cutResults(message: Message, target: Target): readonly Segment[] {
  const results = message.parts.filter(part => isResult(part, target))
  const words = message.parts.filter(part => !isResult(part, target))
  return nonEmpty([
    { role: 'tool', parts: results, message: null },
    { role: 'user', parts: words, message },
  ])
}

/** An assistant message with several steps: a step ends with its results. */
function cutSteps(message: Message, target: Target): readonly Segment[] {
  const segments: Segment[] = []
  let words: Part[] = []
  let results: Part[] = []
  const close = () => {
    segments.push(
      { role: 'assistant', parts: words, message },
      { role: 'tool', parts: results, message: null },
    )
    words = []
    results = []
  }
  for (const part of message.parts) {
    if (isResult(part, target)) results.push(part)
    else {
      // Calls side by side come as call, result, call, result: only other words begin a new step.
      if (results.length > 0 && part.kind !== 'call') close()
      words.push(part)
    }
  }
  close()
  return nonEmpty(segments)
}

/** A message that had nothing to say from the start may still be worth its shell. */
const nonEmpty = (segments: readonly Segment[]) => segments.filter(({ parts }) => parts.length > 0)

/** Whether a segment is a message of this format as it came. */
export const isNativeSegment = ({ message, parts }: Segment, { format }: Target): boolean =>
  message !== null &&
  (message.native?.format === format ||
    (parts.length > 0 && parts.every(({ native }) => native?.format === format)))
