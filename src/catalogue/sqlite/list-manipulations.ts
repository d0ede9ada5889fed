import type { Row, Sql, Tables } from '../../journal/sqlite/tables.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { AuditRow, AuditScope, ManipulationFilter, ManipulationPage } from '../list-manipulations.ts'
import type { AuditEvent } from '../manipulation-change.ts'

/** The newest rows of the audit, or those before a seq. */
export async function listManipulations(
  tables: Tables,
  session: SessionId,
  filter: ManipulationFilter,
): Promise<ManipulationPage> {
  const conditions = conditionsOf(session, filter)
  const rows = await tables.read(
    `select * from manipulation where ${conditions.map(([sql]) => sql).join(' and ')} order by seq desc limit ?`,
    [...conditions.flatMap(([, cells]) => cells), filter.limit + 1],
  )
  const manipulations = rows.slice(0, filter.limit).toReversed().map(readRow)
  return { manipulations, next: rows.length > filter.limit ? (manipulations[0]?.seq ?? null) : null }
}

/** The manipulations of some parts that are in effect, the oldest first. */
export async function listHeld(
  tables: Tables,
  session: SessionId,
  parts: readonly string[],
): Promise<readonly AuditRow[]> {
  const rows = await tables.read(
    `select * from manipulation where session = ?1 and kind = 'applied' and off = 0 and seq in (
       select seq from json_each(?2) cross join manipulation_target
         on session = ?1 and what = 'part' and name = json_each.value)
     order by seq`,
    [session, JSON.stringify(parts)],
  )
  return rows.map(readRow)
}

/** The audit of a scope, and all rollbacks, the oldest first. */
export async function readAudit(
  tables: Tables,
  session: SessionId,
  scope: AuditScope,
): Promise<readonly AuditRow[]> {
  const [begin, cells] = beginningOf(scope)
  const rows = await tables.read(
    `with recursive wanted (seq) as (
       ${begin}
       union
       select next.seq from wanted
       cross join manipulation as own on own.session = ?1 and own.seq = wanted.seq
       cross join manipulation as next on next.session = ?1 and next.caused_by = own.id)
     select * from manipulation where session = ?1 and kind = 'rolled-back'
     union
     select manipulation.* from wanted cross join manipulation
       on manipulation.session = ?1 and manipulation.seq = wanted.seq
     order by seq`,
    [session, ...cells],
  )
  return rows.map(readRow)
}

function beginningOf(scope: AuditScope): Sql {
  const aimed = (what: string, at: number) => `
    select seq from json_each(?${at}) cross join manipulation_target
      on session = ?1 and what = '${what}' and name = json_each.value`
  const own = 'select seq from manipulation where session = ?1'
  if ('parts' in scope)
    return [
      `${aimed('part', 2)} union ${aimed('interaction', 3)}`,
      [JSON.stringify(scope.parts), JSON.stringify(scope.interactions)],
    ]
  if ('ids' in scope)
    return [
      'select seq from json_each(?2) as asked cross join manipulation on session = ?1 and manipulation.id = asked.value',
      [JSON.stringify(scope.ids)],
    ]
  if ('tool' in scope) return [`${own} and tool = ?2`, [scope.tool]]
  if ('interaction' in scope) return [aimed('interaction', 2), [JSON.stringify([scope.interaction])]]
  return [`${own} and seq > ?2`, [scope.after]]
}

function conditionsOf(session: SessionId, filter: ManipulationFilter): readonly Sql[] {
  const { kind, actor, tool, owner, interaction, message, part, before } = filter
  const conditions: Sql[] = [['session = ?', [session]]]
  if (kind !== undefined) conditions.push(['kind = ?', [kind]])
  if (actor !== undefined) conditions.push(['actor = ?', [actor]])
  if (tool !== undefined) conditions.push(['tool = ?', [tool]])
  if (owner !== undefined) conditions.push(['owner = ?', [owner]])
  if (before !== undefined) conditions.push(['seq < ?', [before]])
  if (interaction !== undefined) conditions.push([aimedAt('interaction', 'name = ?'), [session, interaction]])
  if (part !== undefined) conditions.push([aimedAt('part', 'name = ?'), [session, part]])
  // The name of a part is its message, a slash and a number; the character after the slash is "0".
  if (message !== undefined)
    conditions.push([aimedAt('part', 'name > ? and name < ?'), [session, `${message}/`, `${message}0`]])
  return conditions
}

const aimedAt = (what: 'interaction' | 'part', name: string) =>
  `seq in (select seq from manipulation_target where session = ? and what = '${what}' and ${name})`

const readRow = (row: Row): AuditRow => ({
  id: row['id'] as string | null,
  seq: Number(row['seq']),
  at: Number(row['at']),
  kind: row['kind'] as AuditRow['kind'],
  holds: row['kind'] !== 'rejected' && row['off'] === 0,
  event: JSON.parse(String(row['event'])) as AuditEvent,
})
