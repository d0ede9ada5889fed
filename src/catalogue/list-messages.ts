import type { Row, Tables } from '../journal/journal.ts'
import type { MessageMetadata, Thread } from '../protocol/chunk.ts'
import type { Validity } from '../protocol/event.ts'
import type { InteractionId, SessionId } from '../protocol/ids.ts'
import type { MessageRow } from './change.ts'
import { threadCell } from './write-change.ts'

/** Which messages of a session to list. */
export interface MessageFilter {
  /** A subagent's thread; null is the main conversation. */
  readonly thread: Thread
  /** Only those that began before this seq. */
  readonly before?: number
  readonly limit: number
}

/** Some messages, the newest first, and the `before` of the next page: null when there is none. */
export interface MessagePage {
  readonly messages: readonly MessageRow[]
  readonly next: number | null
}

/** Where the messages of a thread lie, the newest first. */
export async function listMessages(
  tables: Tables,
  session: SessionId,
  { thread, before = Number.MAX_SAFE_INTEGER, limit }: MessageFilter,
): Promise<MessagePage> {
  const rows = await tables.read(
    `select * from message where session = ? and thread = ? and first_seq < ?
     order by first_seq desc limit ?`,
    [session, threadCell(thread), before, limit + 1],
  )
  const messages = rows.slice(0, limit).map(readMessageRow)
  return { messages, next: rows.length > limit ? (messages.at(-1)?.firstSeq ?? null) : null }
}

/** Where one message lies. */
export async function findMessage(
  tables: Tables,
  session: SessionId,
  id: string,
  thread: Thread,
): Promise<MessageRow | undefined> {
  const [row] = await tables.read('select * from message where session = ? and id = ? and thread = ?', [
    session,
    id,
    threadCell(thread),
  ])
  return row && readMessageRow(row)
}

const readMessageRow = (row: Row): MessageRow => ({
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
  validity: row['validity'] as Validity,
})
