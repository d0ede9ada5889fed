import { cacheModels } from './counting.ts'
import { addLosses, noLosses, type Losses } from './measure/losses.ts'
import { createMeter, noUsage, type Usage } from './measure/usage.ts'
import { usesOf } from './measure/uses.ts'
import { refusalsOf } from './product/refusals.ts'
import type { Policy } from './policy.ts'
import type { Segment, Session } from './transcript/segment.ts'

/** The effect of a policy, added up over all sessions. */
export interface Score {
  readonly policy: Policy
  readonly usage: Usage
  /** The same requests where the provider remembers for an hour, and the policy knows it. */
  readonly hourly: Usage
  readonly losses: Losses
  /** Time spent in the product's compiler, all in all and at most. */
  milliseconds: number
  slowest: number
  /** What a provider would refuse in the compiled messages. */
  readonly refusals: string[]
  /** How many arrays were checked, and how many segments did not come back when all was rolled back. */
  arrays: number
  unrestored: number
}

/** Nothing replayed yet. */
export const noScore = (policy: Policy): Score => ({
  policy,
  usage: noUsage(),
  hourly: noUsage(),
  losses: noLosses(),
  milliseconds: 0,
  slowest: 0,
  refusals: [],
  arrays: 0,
  unrestored: 0,
})

/** Replays every request of a session under every policy. */
export function replay({ segments }: Session, scores: readonly Score[]): void {
  for (const segment of segments) {
    const uses = usesOf(segment)
    for (const score of scores) {
      replaySegment(segment, uses, score)
      replayHourly(segment, score)
    }
  }
}

function replaySegment(segment: Segment, uses: ReturnType<typeof usesOf>, score: Score): void {
  const compile = score.policy.start(segment, cacheModels.fiveMinutes.seconds, compiled => {
    const { conversation, milliseconds, isRestored } = compiled
    score.milliseconds += milliseconds
    score.slowest = Math.max(score.slowest, milliseconds)
    score.arrays++
    score.refusals.push(...refusalsOf(conversation))
    if (!isRestored) score.unrestored++
  })
  const meter = createMeter(cacheModels.fiveMinutes, score.usage)
  for (const request of segment.requests) {
    const shown = compile(request)
    meter(request, shown)
    addLosses(score.losses, uses.get(request.step) ?? [], shown)
  }
}

function replayHourly(segment: Segment, { policy, hourly }: Score): void {
  const compile = policy.start(segment, cacheModels.oneHour.seconds, () => undefined)
  const meter = createMeter(cacheModels.oneHour, hourly)
  for (const request of segment.requests) meter(request, compile(request))
}
