import type { Grouping } from '../read-usage.ts'

/** A table with usage: the time of a row, its groupings, and its sums. */
export interface UsageSource {
  /** The table, with its alias where it is a query. */
  readonly from: string
  /** The table that the groupings and the conditions are about. */
  readonly table: string
  readonly at: string
  /** The SQL expression of each grouping; those by time are computed from `at`. */
  readonly groups: { readonly [Name in Grouping]?: string }
  readonly sums: string
  readonly where?: string
}

const byTime = { day: '', hour: '', block: '' } as const

/** The branch of a session at an entry. */
const branchAt = (table: string, seq: string) => `(
  select branch from session_branch where session_branch.session = ${table}.session and session_branch.seq <= ${seq}
  order by session_branch.seq desc limit 1)`

/** How rows that belong to a message, or to a tool call, can be grouped. */
export const groupsOf = (table: string, seq: string, interaction = 'interaction') => ({
  ...byTime,
  folder: 'session_summary.cwd',
  branch: branchAt(table, seq),
  agent: `${table}.agent`,
  session: `${table}.session`,
  interaction: `${table}.${interaction}`,
})

const callGroups = { ...groupsOf('tool_call', 'tool_call.start_seq'), tool: 'tool_call.tool' }
const call = { table: 'tool_call', from: 'tool_call', at: 'tool_call.start_at' } as const

const files = "json_each(tool_call.subject, '$.files') as file"
const patched = (what: string) => `json_extract(tool_call.result, '$.patch.${what}')`
const inFile = (what: string) => `json_extract(file.value, '$.${what}')`
const inInput = (what: string) => `(select sum(coalesce(${inFile(what)}, 0)) from ${files})`
const fileGroups = { ...callGroups, file: "substr(json_extract(file.value, '$.key'), 6)" }

/** What the result says is more exact than the input: that of a write does not tell what was there before. */
const linesOfFile = (what: string) =>
  `coalesce(sum(case json_array_length(tool_call.subject, '$.files') when 1
     then coalesce(${patched(what)}, ${inFile(what)}) else ${inFile(what)} end), 0) as lines_${what}`
const linesOfCall = (what: string) =>
  `coalesce(sum(coalesce(${patched(what)}, ${inInput(what)})), 0) as lines_${what}`

/** The output of a command says less about why it failed than its exit code. */
const reason = `case
  when approved = 0 or json_extract(tool_call.result, '$.denied') then 'Denied'
  when json_extract(tool_call.result, '$.interrupted') then 'Interrupted'
  when json_extract(tool_call.result, '$.exit') is not null
    then 'Exit code ' || json_extract(tool_call.result, '$.exit')
  else json_extract(tool_call.result, '$.error') end`

const callSums = `count(*) as calls, coalesce(sum(tool_call.outcome = 'failure'), 0) as failed_calls,
  coalesce(sum(tool_call.duration), 0) as tool_time`

const reported: UsageSource = {
  table: 'spent',
  from: 'spent',
  at: 'spent.at',
  groups: { ...groupsOf('spent', 'spent.seq'), model: 'spent.model' },
  sums: 'sum(spent.cost) as cost',
}

const interactions: UsageSource = {
  table: 'interaction',
  from: 'interaction',
  at: 'interaction.start_at',
  // The agent reports the branch after the prompt.
  groups: groupsOf('interaction', 'coalesce(interaction.stop_seq, 9e15)', 'id'),
  sums: `count(*) as interactions, coalesce(sum(outcome = 'failed'), 0) as failed_interactions,
    coalesce(sum(max(0, coalesce(stop_at, ?3) - start_at)), 0) as time, min(start_seq) as start_seq`,
}

const waits: UsageSource = {
  ...call,
  groups: callGroups,
  where: 'asked_at is not null',
  sums: 'coalesce(sum(max(0, coalesce(answered_at, end_at, ?3) - asked_at)), 0) as wait_time',
}

const changedFiles = "family in ('edit', 'write') and tool_call.outcome = 'success'"

/**
 * Where each sum comes from, apart from tokens. The cost of a message counts on the day of its first report; an interaction
 * and a tool call count on the day of their start.
 */
export function usageSources(by: readonly Grouping[]): readonly UsageSource[] {
  if (by.includes('file'))
    return [
      reported,
      interactions,
      waits,
      { ...call, from: `tool_call, ${files}`, groups: fileGroups, sums: callSums },
      {
        ...call,
        from: `tool_call, ${files}`,
        groups: fileGroups,
        where: changedFiles,
        sums: `${linesOfFile('added')}, ${linesOfFile('removed')}`,
      },
    ]
  if (by.includes('reason'))
    return [
      reported,
      interactions,
      { ...call, groups: { ...callGroups, reason }, where: "tool_call.outcome = 'failure'", sums: callSums },
    ]
  return [
    reported,
    interactions,
    waits,
    { ...call, groups: callGroups, sums: callSums },
    {
      ...call,
      groups: callGroups,
      where: changedFiles,
      sums: `${linesOfCall('added')}, ${linesOfCall('removed')}`,
    },
  ]
}
