import { endsCall } from '../../projections/call-end.ts'
import { createFold, type Fold } from '../../projections/fold.ts'
import { momentOf, type Moment } from '../../projections/moment.ts'
import { chunksOf } from '../../protocol/event.ts'

/** When a tool call began and ended, as far as this client has seen it. */
export interface CallTimes {
  readonly start: Moment
  readonly stop: Moment | null
}

/** Folds entries into the times of the calls in them, by call. */
export function createCallTimes(): Fold<ReadonlyMap<string, CallTimes>> {
  const calls = new Map<string, CallTimes>()
  return createFold(
    entry => {
      const before = calls.size
      let changed = false
      for (const { chunk } of chunksOf(entry.event)) {
        if (!('toolCallId' in chunk)) continue
        const start = calls.get(chunk.toolCallId)?.start ?? momentOf(entry)
        const isEnd = endsCall(chunk)
        if (isEnd || !calls.has(chunk.toolCallId))
          calls.set(chunk.toolCallId, { start, stop: isEnd ? momentOf(entry) : null })
        changed ||= isEnd
      }
      return changed || calls.size !== before
    },
    () => new Map(calls),
  )
}
