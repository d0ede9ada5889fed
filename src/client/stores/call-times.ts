import { momentOf, type Moment } from '../../projections/moment.ts'
import type { Projection } from '../../projections/projection.ts'
import type { Chunk } from '../../protocol/chunk.ts'
import { chunksOf } from '../../protocol/event.ts'

/** When a tool call was first reported, by the kind of chunk, as far as this client has seen it. */
export type CallTimes = { readonly [Type in Chunk['type']]?: Moment }

/** The times of tool calls, by call. */
export type Calls = ReadonlyMap<string, CallTimes>

/** The times of the calls in the entries. */
export const callTimes: Projection<Calls> = {
  initial: new Map(),
  apply(calls, entry) {
    let next: Map<string, CallTimes> | null = null
    for (const { chunk } of chunksOf(entry.event)) {
      if (!('toolCallId' in chunk) || 'preliminary' in chunk) continue
      const known = (next ?? calls).get(chunk.toolCallId)
      if (known?.[chunk.type]) continue
      next ??= new Map(calls)
      next.set(chunk.toolCallId, { ...known, [chunk.type]: momentOf(entry) })
    }
    return next ?? calls
  },
}
