import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { createBell } from '../journal/bell.ts'
import type { Journal } from '../journal/journal.ts'
import { createMemoryJournal } from '../journal/memory.ts'
import { answered, call, created, ended, spoke, start, started } from '../projections/journal.fixture.ts'
import type { Chunk } from '../protocol/chunk.ts'
import { DragomanError } from '../protocol/error.ts'
import type { Event } from '../protocol/event.ts'
import type { InteractionId, SessionId } from '../protocol/ids.ts'
import { createCatalogue } from './catalogue.ts'
import { catchUp } from './catch-up.ts'
import { readApprovalPage } from './read-approval-page.ts'
import { catalogueMigrations } from './schema.ts'
import { createTables } from './tables.fixture.ts'

const asking = (approvalId: string, toolCallId: string): Chunk => ({
  type: 'tool-approval-request',
  approvalId,
  toolCallId,
})
const says = (...chunks: readonly Chunk[]) => spoke('i', null, ...chunks)
const asked = (id: string): readonly Event[] => [
  created(),
  started('i'),
  says(start('m'), call(`call-${id}`, 'Bash')),
  says(asking(id, `call-${id}`)),
]

async function open(sessions: Readonly<Record<string, readonly Event[]>>) {
  let at = 0
  const journal = createMemoryJournal(createBell(), () => (at += 1))
  const db = new DatabaseSync(':memory:')
  const house = { journal, catalogue: createCatalogue(createTables(db)) }
  for (const [id, events] of Object.entries(sessions)) {
    await journal.create(id as SessionId, events)
    await catchUp(house, id as SessionId)
  }
  const list = async (filter: object = {}, from: Pick<Journal, 'read'> = journal) =>
    (await readApprovalPage({ ...house, journal: from }, { limit: 10, ...filter })).approvals
  return { ...house, db, list }
}

it('[T1] approvals of deleted sessions are not listed, and copies in branches neither', async () => {
  const origin = { from: 'one' as SessionId, seq: 4, chunks: [] }
  const branched: Event = { type: 'session-branched', message: 'm', ...origin }
  const merged: Event = { type: 'interactions-merged', interactions: ['i' as InteractionId], ...origin }
  const { list } = await open({
    one: asked('a'),
    deleted: [...asked('b'), { type: 'session-deleted' }],
    archived: [...asked('c'), { type: 'session-archived' }],
    branch: [...asked('a'), branched],
    merged: [...asked('a'), merged],
  })
  expect((await list()).map(({ session, id }) => [session, id])).toEqual([
    ['archived', 'c'],
    ['one', 'a'],
  ])
})

it('[T1] an approval id that is used again for another call is a new question', async () => {
  const { list } = await open({
    s: [
      ...asked('a'),
      answered('a', { approved: false, reason: 'no' }),
      says(call('other', 'Write')),
      says(asking('a', 'other')),
    ],
  })
  expect(await list()).toMatchObject([{ id: 'a', status: 'pending', tool: 'Write', reason: null }])
})

it('[T1] a page reads a few entries per approval, however long the session is', async () => {
  const words: Chunk[] = [{ type: 'text-delta', id: 't', delta: 'word' }]
  const long = Array.from({ length: 3000 }, () => says(...words))
  const { journal, list } = await open({
    s: [...asked('a'), says({ type: 'text-start', id: 't' }), ...long, answered('a'), ...long, ended('i')],
  })
  let entries = 0
  const counted: Pick<Journal, 'read'> = {
    async read(session, after, limit) {
      const read = await journal.read(session, after, limit)
      entries += read.length
      return read
    },
  }
  expect(await list({}, counted)).toMatchObject([{ id: 'a', status: 'granted', tool: 'Bash' }])
  expect(entries).toBe(3)
})

it('[T1] a damaged session does not hide the approvals of others', async () => {
  const { journal, list } = await open({ good: asked('a'), bad: asked('b') })
  const read: Journal['read'] = async (session, after, limit) => {
    if (session === 'bad') throw new DragomanError('session-damaged', 'Session bad is damaged.')
    return journal.read(session, after, limit)
  }
  expect((await list({}, { read })).map(({ id }) => id)).toEqual(['a'])
})

it('[T1] a cursor that is not ours is refused', async () => {
  const { list } = await open({ s: asked('a') })
  for (const cursor of ['', 'x', '1~s', "1~s'~1.1", '1~s~1', '-1~s~1.0'])
    await expect(list({ cursor }), cursor).rejects.toThrow('The cursor is not valid.')
})

it('[J5] approvals in tables of an older version are listed without opening their sessions', async () => {
  const events = [
    ...asked('a'),
    answered('a'),
    says(call('call-b', 'Write')),
    says(asking('b', 'call-b')),
    ended('i'),
  ]
  const { db, catalogue, journal, list } = await open({ s: events, t: asked('c') })
  const expected = await list()
  expect(expected.map(({ id, status }) => [id, status])).toEqual([
    ['c', 'pending'],
    ['b', 'lapsed'],
    ['a', 'granted'],
  ])
  const older = new DatabaseSync(':memory:')
  createTables(older, catalogueMigrations.length - 1)
  copyRows(db, older)
  const tables = createTables(older, catalogueMigrations.length, catalogueMigrations.length - 1)
  const house = { journal, catalogue: { ...catalogue, ...createCatalogue(tables) } }
  expect((await readApprovalPage(house, { limit: 10 })).approvals).toEqual(expected)
})

/** Copies what both versions of the tables have. */
function copyRows(from: DatabaseSync, to: DatabaseSync): void {
  for (const table of ['session_summary', 'approval', 'tool_call', 'interaction']) {
    const columns = to
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => String(name))
    const put = to.prepare(
      `insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`,
    )
    for (const row of from.prepare(`select * from ${table}`).all())
      put.run(...columns.map(name => row[name] ?? null))
  }
}
