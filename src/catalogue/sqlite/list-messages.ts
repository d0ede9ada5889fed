import type { Row, Tables } from '../../journal/sqlite/tables.ts'
import type { MessageMetadata, Thread } from '../../protocol/chunk.ts'
import type { Validity } from '../../protocol/event.ts'
import type { InteractionId, SessionId } from '../../protocol/ids.ts'
import type { MessageRow } from '../change.ts'
import type { MessageFilter, MessagePage } from '../list-messages.ts'
import { messageValiditySql } from './interaction-marks.ts'
import { threadCell } from './write-change.ts'

const now = Number.MAX_SAFE_INTEGER

/** The rows of a thread's messages as of an entry, the newest first. */
export async function listMessages(
  tables: Tables,
  session: SessionId,
  { thread, before = now, limit, replaced = false }: MessageFilter,
  asOf: number,
): Promise<MessagePage> {
  const rows = await tables.read(
    `${selectMessages} where session = ? and thread = ? and first_seq < ? and first_seq <= ?
       and (? or replaced_seq is null or replaced_seq > ?)
     order by first_seq desc limit ?`,
    [session, threadCell(thread), before, asOf, Number(replaced), asOf, limit + 1],
  )
  const messages = rows.slice(0, limit).map(row => readMessageRow(row, asOf))
  return { messages, next: rows.length > limit ? (messages.at(-1)?.firstSeq ?? null) : null }
}

/** The row of a message. */
export async function findMessage(
  tables: Tables,
  session: SessionId,
  id: string,
  thread: Thread,
): Promise<MessageRow | undefined> {
  const [row] = await tables.read(`${selectMessages} where session = ? and id = ? and thread = ?`, [
    session,
    id,
    threadCell(thread),
  ])
  return row && readMessageRow(row)
}

/** The messages of an interaction in all threads, including replaced ones, the oldest first. */
export async function listInInteraction(
  tables: Tables,
  session: SessionId,
  interaction: string,
): Promise<readonly MessageRow[]> {
  const rows = await tables.read(
    `${selectMessages} where session = ? and interaction = ? order by first_seq`,
    [session, interaction],
  )
  return rows.map(row => readMessageRow(row))
}

/** The interactions of a message and of all messages before it in its conversation. */
export async function listPath(
  tables: Tables,
  session: SessionId,
  message: string,
): Promise<readonly InteractionId[]> {
  const rows = await tables.read(
    `with recursive path (id, parent, interaction) as (
       select id, parent, interaction from message where session = ?1 and thread = '' and id = ?2
       union
       select message.id, message.parent, message.interaction
       from path join message on message.session = ?1 and message.thread = '' and message.id = path.parent)
     select distinct interaction from path`,
    [session, message],
  )
  return rows.map(row => row['interaction'] as InteractionId)
}

const selectMessages = `select *, ${messageValiditySql} as counts from message`

const readMessageRow = (row: Row, asOf = now): MessageRow => ({
  session: row['session'] as SessionId,
  id: String(row['id']),
  thread: row['thread'] === '' ? null : String(row['thread']),
  role: row['role'] as MessageRow['role'],
  parent: row['parent'] as string | null,
  synthetic: row['synthetic'] === 1,
  agent: String(row['agent']),
  metadata: JSON.parse(String(row['metadata'])) as MessageMetadata,
  interaction: row['interaction'] as InteractionId,
  firstSeq: Number(row['first_seq']),
  lastSeq: row['last_seq'] as number | null,
  validity: row['counts'] as Validity,
  replacedBy:
    Number(row['replaced_seq'] ?? now) <= asOf ? (row['replaced_by'] as InteractionId | null) : null,
})
