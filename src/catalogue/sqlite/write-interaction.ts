import type { Sql } from '../../journal/sqlite/tables.ts'
import type { InteractionChange } from '../interaction-change.ts'

/** The statement for a change about interactions. Repeating it has no further effect. */
export function writeOfInteraction(change: InteractionChange): Sql {
  const which = [change.session, change.interaction]
  switch (change.type) {
    case 'interaction-began':
      return [began, [...which, change.trigger, change.agent, change.prompt, change.seq, change.at]]
    case 'interaction-stopped':
      return [stopped, [...which, change.seq, change.at, change.outcome, change.reason]]
    case 'interaction-judged':
      if (change.parts === null) return [judged, [...which, change.to, change.seq]]
      return [
        change.to === 'active' ? revive : unrevive,
        [...which, JSON.stringify(change.parts), change.seq],
      ]
  }
}

const began = `
  insert into interaction (session, id, started_by, agent, prompt, start_seq, start_at)
  values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`

const stopped = `
  update interaction set stop_seq = ?3, stop_at = ?4, outcome = ?5, reason = ?6 where session = ?1 and id = ?2`

const isThere = 'session = ?1 and id = ?2 and start_seq < ?4'

const judged = `update interaction set whole = ?3, revived = '[]' where ${isThere}`

const revive = `
  update interaction set revived = (
    select json_group_array(value) from (
      select value from json_each(interaction.revived) union select value from json_each(?3)))
  where ${isThere}`

const unrevive = `
  update interaction set revived = (
    select json_group_array(value) from json_each(interaction.revived)
    where value not in (select value from json_each(?3)))
  where ${isThere}`
