import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { createBell } from '../../journal/bell.ts'
import type { Tables } from '../../journal/sqlite/tables.ts'
import { createMemoryJournal } from '../../journal/memory.ts'
import type { Chunk, Thread } from '../../protocol/chunk.ts'
import type { Event, Outcome } from '../../protocol/event.ts'
import type { ApprovalId, ConnectionId, InteractionId, PromptId, SessionId } from '../../protocol/ids.ts'
import { catchUp, rebuildRows } from '../catch-up.ts'
import { catalogueMigrations } from './schema.ts'
import { createTables } from './sqlite-catalogue.fixture.ts'
import { createSqliteCatalogue } from './sqlite-catalogue.ts'

const s = 's' as SessionId

const created = (agent = 'puppet', title: string | null = null): Event => ({
  type: 'session-created',
  agent,
  cwd: '/home/me',
  title,
  options: null,
})
const started = (id: string, words: string | null): Event => ({
  type: 'interaction-started',
  interaction: id as InteractionId,
  trigger: words === null ? 'agent' : 'user',
  agent: 'puppet',
  prompt: words === null ? null : (`prompt-${id}` as PromptId),
  parts: words === null ? [] : [{ type: 'text', text: words }],
})
const ended = (id: string, outcome: Outcome = 'finished'): Event => ({
  type: 'interaction-ended',
  interaction: id as InteractionId,
  outcome,
  reason: null,
  chunks: [],
})
const spoke = (id: string, chunks: readonly Chunk[], thread: Thread = null): Event => ({
  type: 'agent-spoke',
  interaction: id as InteractionId,
  connection: 'c' as ConnectionId,
  raw: '{}',
  chunks: chunks.map(chunk => ({ thread, chunk })),
})
const call = { dynamic: true, providerExecuted: true }

function open() {
  const journal = createMemoryJournal(createBell(), () => 1000)
  const tables = createTables(new DatabaseSync(':memory:'))
  return { journal, tables, catalogue: createSqliteCatalogue(tables) }
}

const story: readonly Event[] = [
  created(),
  started('i1', 'first'),
  spoke('i1', [
    { type: 'start', messageId: 'm1', messageMetadata: { a: 1, deep: { x: 1 } } },
    { type: 'tool-input-available', toolCallId: 't1', toolName: 'task', input: null, ...call },
  ]),
  spoke('i1', [{ type: 'start', messageId: 'm1-sub' }], 't1'),
  spoke('i1', [{ type: 'finish' }], 't1'),
  spoke('i1', [{ type: 'finish', messageMetadata: { b: 2, deep: { y: 2 } } }]),
  ended('i1'),
  started('i2', null),
  spoke('i2', [
    { type: 'start', messageId: 'm2' },
    { type: 'text-start', id: 'x' },
  ]),
  spoke('i2', [{ type: 'finish' }]),
  ended('i2'),
  spoke('i1', [
    { type: 'start', messageId: 'm1' },
    { type: 'tool-output-available', toolCallId: 't1', output: 'late', ...call },
    { type: 'finish' },
  ]),
  started('i3', 'third'),
  spoke('i3', [
    { type: 'start', messageId: 'm3' },
    { type: 'text-start', id: 'x' },
  ]),
  spoke('i3', [{ type: 'text-delta', id: 'x', delta: 'still talking' }]),
  {
    type: 'validity-changed',
    target: { interaction: 'i1' as InteractionId },
    to: 'superseded',
    by: 'me',
    reason: 'because',
    replacedBy: null,
  },
]

it('[J6] rows catch up from any entry, and interruptions do not change the result', async () => {
  const question: Event = spoke('i3', [
    { type: 'tool-input-available', toolCallId: 't2', toolName: 'rm', input: null, ...call },
    { type: 'tool-approval-request', approvalId: 'q', toolCallId: 't2' },
  ])
  const lapsed: Event = { type: 'approval-lapsed', approval: 'q' as ApprovalId, reason: 'gone' }
  const all = [...story, question, lapsed, ended('i3', 'failed')]
  const whole = open()
  await whole.journal.create(s, all)
  const state = await catchUp(whole, s)
  const dump = async (tables: Tables) =>
    Promise.all(
      ['message', 'approval', 'agent_session', 'tool_call', 'interaction'].map(table =>
        tables.read(`select * from ${table}`, []),
      ),
    )
  const expected = await dump(whole.tables)

  for (let cut = 1; cut < all.length; cut += 1) {
    const house = open()
    await house.journal.create(s, all.slice(0, cut))
    await catchUp(house, s)
    await house.journal.append(s, all.slice(cut))
    // Some changes were written and the row was not: everything is done again.
    const rowBehind = { ...house.catalogue, save: async () => {} }
    await catchUp({ ...house, catalogue: rowBehind }, s)
    expect(await catchUp(house, s)).toEqual({
      ...state,
      summary: {
        ...state.summary,
        updatedAt: expect.anything() as number,
        createdAt: expect.anything() as number,
      },
    })
    expect(await dump(house.tables)).toEqual(expected)
  }
  expect((await whole.catalogue.get(s))?.summary).toMatchObject({ status: 'failed', seq: all.length })
  expect(await whole.catalogue.findApproval(s, 'q')).toEqual({ askedSeq: 17, settledSeq: 18 })
})

it('[J6] [R5] a row whose state is damaged is rebuilt', async () => {
  const house = open()
  await house.journal.create(s, story)
  const state = await catchUp(house, s)
  await house.tables.write({
    statements: [["update session_summary set state = replace(state, ':', ';')", []]],
  })
  expect(await house.catalogue.get(s)).toBeUndefined()
  expect(await catchUp(house, s)).toEqual(state)
})

it('[J6] a row that is ahead of the journal or has another version is rebuilt', async () => {
  const house = open()
  await house.journal.create(s, story)
  const state = await catchUp(house, s)
  await house.catalogue.save([
    { type: 'session-changed', state: { ...state, summary: { ...state.summary, seq: 999, title: 'a lie' } } },
  ])
  expect((await catchUp(house, s)).summary.title).toBe('first')
  await house.tables.write({
    statements: [['update session_summary set state_version = 0, title = ?', ['old']]],
  })
  expect(await house.catalogue.get(s)).toBeUndefined()
  expect((await catchUp(house, s)).summary.seq).toBe(story.length)
  expect(await rebuildRows(house, s)).toEqual(state)
})

it('[J9] rows of an earlier version are listed unchanged, and rebuilt when their session is opened', async () => {
  const db = new DatabaseSync(':memory:')
  const { journal } = open()
  const later = createSqliteCatalogue(createTables(db, 2))
  await journal.create(s, story)
  const state = await catchUp({ journal, catalogue: open().catalogue }, s)
  const { deleted: _, branch: __, ...summary } = state.summary
  const old = JSON.stringify({ ...state, summary, rules: undefined })
  db.prepare(
    `insert into session_summary values
     (?, 16, 'running', 'puppet', 'first', '/', 0, null, null, 0, 0, 0, 0, 1, 1, 2, ?, 0)`,
  ).run(s, old)
  createTables(db, catalogueMigrations.length, 2)
  const { sessions } = await later.list({ limit: 5 })
  expect(sessions).toMatchObject([{ session: s, title: 'first', deleted: false, branch: null }])
  expect(await later.get(s)).toBeUndefined()
  expect(await catchUp({ journal, catalogue: later }, s)).toEqual(state)
})
