import type { Replied, Sent } from '../../protocol/api/api.ts'
import type { Caller, CallOptions } from '../call.ts'

/** Which use is asked for: between two days or moments, in whose days, and grouped by what. */
export type UsageQuery = NonNullable<Sent<'getUsage'>['query']>
/** Usage across sessions, by group and in total, and how many sessions did not report it. */
export type Usage = Replied<'getUsage'>
/** The use of one group. */
export type UsageRow = Usage['rows'][number]
/** Usage; a sum is null where the grouping does not apply to it. */
export type UsageSums = Omit<Usage['total'], 'sessions' | 'cost'>

/** What was used across sessions. */
export const readUsage = (client: Caller, query: UsageQuery = {}, options?: CallOptions): Promise<Usage> =>
  client.call('GET /api/usage', { query }, options)
