import type { CallPart, Conversation, LossReason, Part, ResultPart } from '../conversation.ts'

/**
 * Which result answers which call, by their order: a result answers the call that it stands directly behind, or else the
 * oldest call of its id that still waits.
 */
export interface Pairs {
  readonly resultOf: ReadonlyMap<CallPart, ResultPart>
  readonly callOf: ReadonlyMap<ResultPart, CallPart>
  /** Results that answer nothing, and why. */
  readonly loose: ReadonlyMap<ResultPart, LossReason>
}

/** Pairs the calls and results of a conversation. */
export function pair({ messages }: Conversation): Pairs {
  const waiting = new Map<string, CallPart[]>()
  const resultOf = new Map<CallPart, ResultPart>()
  const callOf = new Map<ResultPart, CallPart>()
  const loose = new Map<ResultPart, LossReason>()
  for (const { parts } of messages)
    for (const [at, part] of parts.entries())
      if (part.kind === 'call') wait(waiting, part)
      else if (part.kind === 'result') {
        const call = taken(waiting.get(part.call), parts[at - 1])
        if (call === undefined) loose.set(part, waiting.has(part.call) ? 'duplicate' : 'orphan')
        else {
          resultOf.set(call, part)
          callOf.set(part, call)
        }
      }
  return { resultOf, callOf, loose }
}

function taken(calls: CallPart[] | undefined, before: Part | undefined): CallPart | undefined {
  const next = calls?.findIndex(call => call === before) ?? -1
  return next === -1 ? calls?.shift() : calls?.splice(next, 1)[0]
}

function wait(waiting: Map<string, CallPart[]>, part: CallPart): void {
  const others = waiting.get(part.call)
  if (others === undefined) waiting.set(part.call, [part])
  else others.push(part)
}
