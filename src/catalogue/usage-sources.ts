/** What use can be grouped by. */
export type Grouping = 'day' | 'agent' | 'model' | 'folder' | 'tool'

/** A table that use is summed up from: when a row counts, what it can be grouped by, and what its sums are. */
export interface UsageSource {
  readonly table: string
  readonly at: string
  /** The expression of each grouping; that of days follows from the moment. */
  readonly groups: { readonly [Name in Grouping]?: string }
  readonly sums: string
}

const folder = 'session_summary.cwd'

/**
 * Where each sum comes from. What a message used counts on the day on which that was first told, an interaction and a
 * call on the day on which they began.
 */
export const usageSources: readonly UsageSource[] = [
  {
    table: 'spent',
    at: 'spent.at',
    groups: { day: '', agent: 'spent.agent', model: 'spent.model', folder },
    sums: `sum(spent.cost) as cost, sum(spent.tokens_input) as input, sum(spent.tokens_output) as output,
      sum(spent.tokens_cache_read) as cache_read, sum(spent.tokens_cache_write) as cache_write`,
  },
  {
    table: 'interaction',
    at: 'interaction.start_at',
    groups: { day: '', agent: 'interaction.agent', folder },
    sums: `count(*) as interactions, coalesce(sum(outcome = 'failed'), 0) as failed_interactions,
      coalesce(sum(max(0, coalesce(stop_at, ?3) - start_at)), 0) as time`,
  },
  {
    table: 'tool_call',
    at: 'tool_call.start_at',
    groups: { day: '', agent: 'tool_call.agent', folder, tool: 'tool_call.tool' },
    sums: `count(*) as calls, coalesce(sum(tool_call.outcome = 'failure'), 0) as failed_calls,
      coalesce(sum(tool_call.duration), 0) as tool_time`,
  },
]
