import type { Mark } from '../../protocol/manipulation.ts'

/** The columns with the session and the id of the interaction. */
interface Columns {
  readonly session: string
  readonly id: string
}

/**
 * The last mark of the whole interaction that is in effect, or the opposite if a later manipulation gave that to a
 * part of it. `cross join` keeps the order: first the few targets of the interaction, then each manipulation by its key.
 */
const markSql = ({ session, id }: Columns, marks: readonly Mark[], opposite: Mark) => `(
  select case when exists (
    select 1 from manipulation_target as of_part
    cross join manipulation as later on later.session = of_part.session and later.seq = of_part.seq
    where of_part.session = ${session} and of_part.what = 'interaction' and of_part.name = ${id}
      and later.seq > change.seq and later.kind = 'applied' and later.off = 0 and later.mark = '${opposite}')
  then '${opposite}' else change.mark end
  from manipulation_target as of_whole
  cross join manipulation as change on change.session = of_whole.session and change.seq = of_whole.seq
  where of_whole.session = ${session} and of_whole.what = 'whole' and of_whole.name = ${id}
    and change.kind = 'applied' and change.off = 0 and change.mark in (${marks.map(mark => `'${mark}'`).join(', ')})
  order by change.seq desc limit 1)`

const validities = ['active', 'superseded', 'invalidated', 'archived'] as const
const deletions = ['deleted', 'undeleted'] as const

const own: Columns = { session: 'interaction.session', id: 'interaction.id' }

/** The validity of an interaction: from manipulations of the whole, else from the older `validity-changed` events. */
export const validitySql = `coalesce(${markSql(own, validities, 'active')}, interaction.validity)`

/** Whether a person deleted the whole interaction. */
export const deletedSql = `coalesce(${markSql(own, deletions, 'undeleted')} = 'deleted', 0)`

/** Whether a person pinned the whole interaction. */
export const pinnedSql = `coalesce(${markSql(own, ['pinned', 'unpinned'], 'unpinned')} = 'pinned', 0)`

const ofMessage: Columns = { session: 'message.session', id: 'message.interaction' }

/** The validity of a message by its interaction as a whole. A deleted interaction counts as archived. */
export const messageValiditySql = `case ${markSql(ofMessage, deletions, 'undeleted')} when 'deleted' then 'archived'
  else coalesce(${markSql(ofMessage, validities, 'active')}, message.validity) end`
