import { finish, type Steps } from '../../../protocol/steps.ts'
import type { CallPart, Conversation, LossReason, Part, ResultPart } from '../conversation.ts'

/**
 * Which result answers which call: among the open calls with its id, a result answers the one directly
 * before it, or else the oldest of its tool, or else the oldest.
 */
export interface Pairs {
  readonly resultOf: ReadonlyMap<CallPart, ResultPart>
  readonly callOf: ReadonlyMap<ResultPart, CallPart>
  /** Results that answer nothing, and why. */
  readonly loose: ReadonlyMap<ResultPart, LossReason>
}

/** Pairs the calls and results of a conversation. */
export const pair = (conversation: Conversation): Pairs => finish(pairInSteps(conversation))

/** The same, one message in each step. */
export function* pairInSteps({ messages }: Conversation): Steps<Pairs> {
  const waiting = new Map<string, CallPart[]>()
  const resultOf = new Map<CallPart, ResultPart>()
  const callOf = new Map<ResultPart, CallPart>()
  const loose = new Map<ResultPart, LossReason>()
  for (const { parts } of messages) {
    yield
    for (const [at, part] of parts.entries())
      if (part.kind === 'call') wait(waiting, part)
      else if (part.kind === 'result') {
        const call = taken(waiting.get(part.call) ?? [], part, parts[at - 1])
        if (call === undefined) loose.set(part, waiting.has(part.call) ? 'duplicate' : 'orphan')
        else {
          resultOf.set(call, part)
          callOf.set(part, call)
        }
      }
  }
  return { resultOf, callOf, loose }
}

function taken(calls: CallPart[], { tool }: ResultPart, before: Part | undefined): CallPart | undefined {
  // A call directly before its result is the newest of its id.
  if (calls.at(-1) === before) return calls.pop()
  return calls.splice(
    Math.max(
      0,
      calls.findIndex(call => call.tool === tool),
    ),
    1,
  )[0]
}

function wait(waiting: Map<string, CallPart[]>, part: CallPart): void {
  const others = waiting.get(part.call)
  if (others === undefined) waiting.set(part.call, [part])
  else others.push(part)
}
