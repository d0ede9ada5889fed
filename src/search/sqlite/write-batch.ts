import type { DatabaseSync } from 'node:sqlite'
import type { SessionId } from '../../protocol/ids.ts'
import { kinds, type IndexedPart, type RemovedPart, type SessionBatch } from '../engine.ts'
import { signsOf } from '../text/fold-case.ts'
import { indexText } from '../text/words.ts'
import { blockAfter, blockOf } from './place-of.ts'

/** A part with its id, ready to be written. */
interface Placed {
  readonly id: number
  readonly part: IndexedPart
  readonly session: number
  readonly message: number
}

/** Writes batches. */
export interface BatchWriter {
  /** All of them, within a transaction of the caller. */
  write(batches: readonly SessionBatch[]): void
  forget(session: SessionId): void
}

/** Prepares to write batches. */
export function createBatchWriter(db: DatabaseSync): BatchWriter {
  const sql = statementsOf(db)
  const numberOf = createNumbers(db)
  const nextFree = new Map<number, number>()

  /** The next id in the block of a time; in a full block, one in the blocks after it. */
  const free = (at: number): number => {
    let block = blockOf(at)
    for (;;) {
      const end = blockAfter(block)
      const id = nextFree.get(block) ?? Number(sql.nextId.get(block - 1, block, end)?.['id'])
      if (nextFree.size > 10_000) nextFree.clear()
      nextFree.set(block, Math.min(id + 1, end))
      if (id < end) return id
      block = end
    }
  }
  const drop = (id: number) => {
    sql.dropPart.run(id)
    sql.dropWord.run(id)
    sql.dropGram.run(id)
  }
  const dropParts = (message: number, name: string, kind: number | null) => {
    for (const row of sql.partsOf.all(message, name))
      if (kind === null || row['kind'] === kind) drop(Number(row['id']))
  }
  const messageOf = (session: number, { thread, message }: Pick<RemovedPart, 'thread' | 'message'>) => {
    const key = [session, message ?? '', thread ?? ''] as const
    const known = sql.message.get(...key)?.['no']
    return known === undefined
      ? { no: Number(sql.addMessage.run(...key).lastInsertRowid), isNew: true }
      : { no: Number(known), isNew: false }
  }
  const placed = (batch: SessionBatch): readonly Placed[] => {
    const { session, seq, state, facts, removed, parts } = batch
    const { agent = null, cwd = null, status = null, cost = null, deleted = false } = facts ?? {}
    sql.session.run(session, seq, JSON.stringify(state), agent, cwd, status, cost, Number(deleted))
    const no = Number(sql.sessionNo.get(session)?.['no'])
    for (const each of removed) dropParts(messageOf(no, each).no, each.part, null)
    return parts.flatMap(part => {
      const message = messageOf(no, part)
      if (!message.isNew) dropParts(message.no, part.part, kinds.indexOf(part.kind))
      if (part.text.trim() === '') return []
      return [{ id: free(part.at), part, session: no, message: message.no }]
    })
  }
  const add = ({ id, part, session, message }: Placed) => {
    const { kind, part: name, tool, family, files, at, first, seq, text } = part
    const toolNo = tool === null ? null : numberOf.tool(tool, family ?? 'other')
    const fileNo = files.length === 0 ? null : numberOf.file(files.join('\n'))
    sql.addPart.run(id, session, message, kinds.indexOf(kind), name, toolNo, fileNo, at, first, seq)
    sql.addWord.run(id, indexText(text))
    sql.addGram.run(id, signsOf(text))
  }
  return {
    write(batches) {
      const all = batches.flatMap(placed)
      // In the order of their ids: the index must not begin a new section for each.
      for (const each of all.toSorted((a, b) => a.id - b.id)) add(each)
    },
    forget(session) {
      const no = Number(sql.sessionNo.get(session)?.['no'] ?? -1)
      for (const row of sql.sessionParts.all(no)) drop(Number(row['id']))
      sql.dropMessages.run(no)
      sql.dropSession.run(no)
    },
  }
}

/** The numbers of tools and files, which are saved once each. */
function createNumbers(db: DatabaseSync) {
  const known = new Map<string, number>()
  const numbers = (find: string, add: string) => {
    const [finding, adding] = [db.prepare(find), db.prepare(add)]
    return (name: string, ...more: readonly string[]) => {
      const key = `${find}${name}`
      const no = known.get(key) ?? finding.get(name)?.['no'] ?? adding.run(name, ...more).lastInsertRowid
      if (known.size > 10_000) known.clear()
      known.set(key, Number(no))
      return Number(no)
    }
  }
  return {
    tool: numbers('select no from tool where name = ?', 'insert into tool (name, family) values (?, ?)'),
    file: numbers('select no from file where paths = ?', 'insert into file (paths) values (?)'),
  }
}

const statementsOf = (db: DatabaseSync) => ({
  session: db.prepare(
    `insert into session (id, seq, state, agent, folder, status, cost, deleted) values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (id) do update set seq = excluded.seq, state = excluded.state, agent = excluded.agent,
       folder = excluded.folder, status = excluded.status, cost = excluded.cost, deleted = excluded.deleted`,
  ),
  sessionNo: db.prepare('select no from session where id = ?'),
  message: db.prepare('select no from message where session = ? and id = ? and thread = ?'),
  addMessage: db.prepare('insert into message (session, id, thread) values (?, ?, ?)'),
  nextId: db.prepare('select coalesce(max(id), ?) + 1 as id from part where id >= ? and id < ?'),
  partsOf: db.prepare('select id, kind from part where message = ? and name = ?'),
  sessionParts: db.prepare('select id from part where message in (select no from message where session = ?)'),
  addPart: db.prepare('insert into part values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
  addWord: db.prepare('insert into word (rowid, words) values (?, ?)'),
  addGram: db.prepare('insert into gram (rowid, signs) values (?, ?)'),
  dropPart: db.prepare('delete from part where id = ?'),
  dropWord: db.prepare('delete from word where rowid = ?'),
  dropGram: db.prepare('delete from gram where rowid = ?'),
  dropMessages: db.prepare('delete from message where session = ?'),
  dropSession: db.prepare('delete from session where no = ?'),
})
