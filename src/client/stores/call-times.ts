import { endsCall } from '../../projections/call-end.ts'
import { createFold, type Fold } from '../../projections/fold.ts'
import { momentOf, type Moment } from '../../projections/moment.ts'
import { chunksOf } from '../../protocol/event.ts'

/** When a tool call began and ended, as far as this client has seen it. */
export interface CallTimes {
  readonly start: Moment
  readonly stop: Moment | null
}

/** The times of tool calls, by call. */
export type Calls = ReadonlyMap<string, CallTimes>

/** Folds entries into the times of the calls in them; what was known before stays known. */
export function createCallTimes(from?: Calls): Fold<Calls> {
  const calls = new Map(from)
  return createFold(
    entry => {
      let changed = false
      for (const { chunk } of chunksOf(entry.event)) {
        if (!('toolCallId' in chunk)) continue
        const known = calls.get(chunk.toolCallId)
        const stop = endsCall(chunk) ? momentOf(entry) : null
        if (known !== undefined && stop === null) continue
        calls.set(chunk.toolCallId, { start: known?.start ?? momentOf(entry), stop })
        changed = true
      }
      return changed
    },
    () => new Map(calls),
  )
}
