import type { Replied, Sent } from '../../protocol/api/api.ts'
import type { Caller, CallOptions } from '../call.ts'

/** Which use is asked for: between two days or moments, in whose days, and grouped by what. */
export type UsageQuery = NonNullable<Sent<'getUsage'>['query']>
/** What was used across sessions, in groups and in all, and what is not known of it. */
export type Usage = Replied<'getUsage'>
/** The use of one group. */
export type UsageRow = Usage['rows'][number]
/** Usage; a sum is null where the grouping does not apply to it. */
export type UsageSums = Omit<Usage['total'], 'sessions'>

/** What was used across sessions. */
export const readUsage = (client: Caller, query: UsageQuery = {}, options?: CallOptions): Promise<Usage> =>
  client.call('GET /api/usage', { query }, options)
