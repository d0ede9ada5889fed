import type { Cell, Sql } from '../../journal/sqlite/tables.ts'
import type { ModelRequest } from '../../protocol/data-parts.ts'
import type { UsageChange } from '../usage-change.ts'

type Of<Type extends UsageChange['type']> = Extract<UsageChange, { readonly type: Type }>

/** The statements that make a change in the usage. Repeating them has no further effect. */
export function writesOfUsage(change: UsageChange): readonly Sql[] {
  switch (change.type) {
    case 'usage-told':
      return [
        [insertUsage, usageCells(change)],
        ...(change.request === null ? [] : [requested(change, change.request)]),
      ]
    case 'usage-branched':
      return [
        [
          'insert or replace into session_branch values (?, ?, ?)',
          [change.session, change.seq, change.branch],
        ],
      ]
    case 'usage-limited':
      return change.limits.map(({ name, used, resetsAt, isReached }) => [
        limited,
        [change.agent, name, used, resetsAt, Number(isReached), change.at],
      ])
    case 'usage-copied':
      return [
        copied('spent', 'seq', 'interaction', change),
        copied('interaction', 'start_seq', 'id', change),
        copied('tool_call', 'start_seq', 'interaction', change),
      ]
  }
}

/** A message counts at the time of its first report, with the values of its last one. A report after the copy is counted here. */
const insertUsage = `
  insert into spent values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
  on conflict do update set model = excluded.model, seq = excluded.seq, exact = excluded.exact, cost = excluded.cost,
    tokens_input = excluded.tokens_input, tokens_output = excluded.tokens_output,
    tokens_cache_read = excluded.tokens_cache_read, tokens_cache_write = excluded.tokens_cache_write, copied = 0
  where excluded.seq >= spent.seq and (excluded.exact >= spent.exact or spent.copied = 1)`

function usageCells(change: Of<'usage-told'>): readonly Cell[] {
  const { tokens, cost } = change.spent
  return [
    change.session,
    change.thread ?? '',
    change.message,
    change.interaction,
    change.agent,
    change.model,
    change.at,
    change.seq,
    Number(change.exact),
    cost,
    tokens.input,
    tokens.output,
    tokens.cacheRead,
    tokens.cacheWrite,
  ]
}

/** A request counts at the time of its first report, with the values of its last one. */
const request = `
  insert into model_request values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do update set model = excluded.model, seq = excluded.seq,
    tokens_input = excluded.tokens_input, tokens_output = excluded.tokens_output,
    tokens_cache_read = excluded.tokens_cache_read, tokens_cache_write = excluded.tokens_cache_write,
    hour_writes = excluded.hour_writes
  where excluded.seq >= model_request.seq`

function requested(change: Of<'usage-told'>, { id, tokens, hourWrites = 0 }: ModelRequest): Sql {
  const { session, thread, message, model, at, seq } = change
  const { input, output, cacheRead, cacheWrite } = tokens
  const place = [session, thread ?? '', message, id]
  return [request, [...place, model, at, seq, input, output, cacheRead, cacheWrite, hourWrites]]
}

const limited = `
  insert into usage_limit values (?, ?, ?, ?, ?, ?)
  on conflict do update set used = excluded.used, resets_at = excluded.resets_at, reached = excluded.reached, at = excluded.at
  where excluded.at >= usage_limit.at`

function copied(
  table: string,
  seqColumn: string,
  interactionColumn: string,
  { session, interactions, seq }: Of<'usage-copied'>,
): Sql {
  const mark = `update ${table} set copied = 1 where session = ? and ${seqColumn} <= ?`
  if (interactions === null) return [mark, [session, seq]]
  const isOne = `${interactionColumn} in (select value from json_each(?))`
  return [`${mark} and ${isOne}`, [session, seq, JSON.stringify(interactions)]]
}
