import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { createBell } from '../../journal/bell.ts'
import { createMemoryJournal } from '../../journal/memory.ts'
import {
  answered,
  ask,
  call,
  created,
  ended,
  spoke,
  start,
  started,
} from '../../projections/journal.fixture.ts'
import type { Event } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { catchUp } from '../catch-up.ts'
import { readApprovalPage } from '../read-approval-page.ts'
import { catalogueMigrations } from './schema.ts'
import { createCatalogue, createTables } from './sqlite-catalogue.fixture.ts'
import { createSqliteCatalogue } from './sqlite-catalogue.ts'

/** The version of the tables without the facts of approvals. */
const beforeApprovals = 6

const asked = (id: string): readonly Event[] => [
  created(),
  started('i'),
  spoke('i', null, start('m'), call(`call-${id}`, 'Bash')),
  spoke('i', null, ask(`call-${id}`, id)),
]

it('[J5] approvals in tables of an older version are listed without opening their sessions', async () => {
  const events = [
    ...asked('a'),
    answered('a'),
    spoke('i', null, call('call-b', 'Write')),
    spoke('i', null, ask('call-b', 'b')),
    ended('i'),
  ]
  const db = new DatabaseSync(':memory:')
  let at = 0
  const journal = createMemoryJournal(createBell(), () => (at += 1))
  const house = { journal, catalogue: createCatalogue(db) }
  for (const [id, told] of Object.entries({ s: events, t: asked('c') })) {
    await house.journal.create(id as SessionId, told)
    await catchUp(house, id as SessionId)
  }
  const expected = (await readApprovalPage(house, { limit: 10 })).approvals
  expect(expected.map(({ id, status }) => [id, status])).toEqual([
    ['c', 'pending'],
    ['b', 'lapsed'],
    ['a', 'granted'],
  ])
  const older = new DatabaseSync(':memory:')
  createTables(older, beforeApprovals)
  copyRows(db, older)
  const tables = createTables(older, catalogueMigrations.length, beforeApprovals)
  const later = { ...house, catalogue: createSqliteCatalogue(tables) }
  expect((await readApprovalPage(later, { limit: 10 })).approvals).toEqual(expected)
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
