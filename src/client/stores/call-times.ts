import { createFold, type Fold } from '../../projections/fold.ts'
import { momentOf, type Moment } from '../../projections/moment.ts'
import type { Chunk } from '../../protocol/chunk.ts'
import { chunksOf } from '../../protocol/event.ts'

/** When a tool call was first reported, by the kind of chunk, as far as this client has seen it. */
export type CallTimes = { readonly [Type in Chunk['type']]?: Moment }

/** The times of tool calls, by call. */
export type Calls = ReadonlyMap<string, CallTimes>

/** Folds entries into the times of the calls in them; what was known before stays known. */
export function createCallTimes(from?: Calls): Fold<Calls> {
  const calls = new Map(from)
  return createFold(
    entry => {
      let changed = false
      for (const { chunk } of chunksOf(entry.event)) {
        if (!('toolCallId' in chunk) || 'preliminary' in chunk) continue
        const known = calls.get(chunk.toolCallId)
        if (known?.[chunk.type]) continue
        calls.set(chunk.toolCallId, { ...known, [chunk.type]: momentOf(entry) })
        changed = true
      }
      return changed
    },
    () => new Map(calls),
  )
}
