import type { Cell, Sql } from '../../journal/sqlite/tables.ts'
import type { ManipulationChange } from '../manipulation-change.ts'

/** The statement for a change about manipulations and requests. Repeating it has no further effect. */
export function writeOfManipulation(change: ManipulationChange): Sql {
  const place = [change.session, change.seq]
  switch (change.type) {
    case 'audit-noted':
      return [noted, [...place, ...cellsOf(change)]]
    case 'audit-aimed':
      return [aimed, [...place, JSON.stringify(change.targets)]]
    case 'audit-rollback-aimed':
      return [rollbackAimed, place]
    case 'audit-flipped':
      return [flipped, place]
    case 'audit-reverted':
      return [reverted, place]
    case 'audit-requested': {
      const { at, step, tokens, type: _, changes: __, ...facts } = change.event
      return [
        requested,
        [
          ...place,
          at,
          step,
          tokens.before,
          tokens.after,
          JSON.stringify({ ...facts, changed: change.event.changes.length }),
        ],
      ]
    }
    case 'audit-decisions-ended':
      return [ended, [...place, JSON.stringify(change.changes.map(({ part }) => part))]]
    case 'audit-decisions-made':
      return [made, [...place, JSON.stringify(change.changes)]]
  }
}

function cellsOf(change: Extract<ManipulationChange, { readonly type: 'audit-noted' }>): Cell[] {
  const { at, kind, id, actor, mark, event } = change
  const [owner, tool] = actor.kind === 'tool' ? [actor.owner, actor.tool] : [null, null]
  const named = event.type === 'manipulation-rolled-back' ? JSON.stringify(event.manipulations) : null
  const cause = 'causedBy' in event ? event.causedBy : null
  return [at, kind, id, actor.kind, owner, tool, mark, cause, JSON.stringify(event), named]
}

/** A rollback reverts only manipulations that are known and in effect. A row with an id that is in use is not inserted. */
const noted = `
  insert into manipulation (session, seq, at, kind, id, actor, owner, tool, mark, caused_by, event, reverts)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, case when ?12 is null then null else (
    select json_group_array(value) from json_each(?12)
    where value in (select id from manipulation where session = ?1 and id is not null and off = 0 and seq < ?2)) end)
  on conflict do nothing`

const aimed = `
  insert into manipulation_target (session, what, name, seq)
  select ?1, value ->> 'what', value ->> 'name', ?2 from json_each(?3) where true on conflict do nothing`

/** `cross join` keeps the order: from the rollback to the manipulations that it reverted, and to their targets. */
const rollbackAimed = `
  insert into manipulation_target (session, what, name, seq)
  select distinct target.session, target.what, target.name, ?2
  from manipulation as own
  cross join json_each(own.reverts) as named
  cross join manipulation as taken on taken.session = ?1 and taken.id = named.value
  cross join manipulation_target as target on target.session = ?1 and target.seq = taken.seq
  where own.session = ?1 and own.seq = ?2 and target.what in ('part', 'interaction')
  on conflict do nothing`

/** Reverting a rollback switches the manipulations that it reverted, and so on. Two switches cancel out. */
const flipped = `
  with recursive flip (id) as (
    select named.value from manipulation as own cross join json_each(own.reverts) as named
    where own.session = ?1 and own.seq = ?2
    union all
    select named.value from flip
    cross join manipulation as own on own.session = ?1 and own.id = flip.id
    cross join json_each(own.reverts) as named)
  insert into manipulation_target (session, what, name, seq)
  select ?1, 'flip', id, ?2 from flip group by id having count(*) % 2 = 1 on conflict do nothing`

const reverted = `
  update manipulation set off = (
    select count(*) % 2 from manipulation_target as flip
    where flip.session = ?1 and flip.what = 'flip' and flip.name = manipulation.id)
  where session = ?1 and id in (
    select name from manipulation_target where session = ?1 and what = 'flip' and seq = ?2)`

const requested = `
  insert into context_request (session, seq, at, step, tokens_before, tokens_after, facts)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7) on conflict do nothing`

const ended = `
  update context_decision set until_seq = ?2
  where session = ?1 and part in (select value from json_each(?3)) and until_seq is null and seq < ?2`

const made = `
  insert into context_decision (session, part, seq, place, decision, tokens)
  select ?1, value ->> 'part', ?2, key, value -> 'decision', value -> 'tokens' from json_each(?3)
  where value ->> 'decision' is not null on conflict do nothing`
