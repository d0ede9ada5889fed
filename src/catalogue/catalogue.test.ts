import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { createBell } from '../journal/bell.ts'
import type { Tables } from '../journal/sqlite/tables.ts'
import { createMemoryJournal } from '../journal/memory.ts'
import { foldEntries } from '../projections/fold.ts'
import { createMessages } from '../projections/messages.ts'
import type { Chunk, Thread } from '../protocol/chunk.ts'
import type { Event, Outcome } from '../protocol/event.ts'
import type { ApprovalId, ConnectionId, InteractionId, PromptId, SessionId } from '../protocol/ids.ts'
import { catchUp, rebuildRows } from './catch-up.ts'
import { readMessages } from './read-messages.ts'
import { catalogueMigrations } from './sqlite/schema.ts'
import { createTables } from './sqlite/sqlite-catalogue.fixture.ts'
import { createSqliteCatalogue } from './sqlite/sqlite-catalogue.ts'

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

it('[J6] sessions are listed newest first, by cursor, and found by words, agent and status', async () => {
  const house = open()
  let at = 0
  const journal = createMemoryJournal(createBell(), () => (at += 1000))
  for (const [index, agent] of ['a', 'b', 'a', 'b', 'a'].entries()) {
    const session = `s${index}` as SessionId
    await journal.create(session, [created(agent, `Title_${index} 100%`)])
    if (index === 2) await journal.append(session, [{ type: 'session-archived' }])
    if (index === 3) await journal.append(session, [started('i', 'go')])
    await catchUp({ ...house, journal }, session)
  }
  const { catalogue } = house
  const ids = async (filter: Partial<Parameters<typeof catalogue.list>[0]>) =>
    (await catalogue.list({ limit: 10, ...filter })).sessions.map(({ session }) => session)

  const first = await catalogue.list({ limit: 2 })
  expect(first.sessions.map(({ session }) => session)).toEqual(['s4', 's3'])
  const second = await catalogue.list({ limit: 2, cursor: first.next ?? '' })
  expect(second.sessions.map(({ session }) => session)).toEqual(['s1', 's0'])
  expect(second.next).toBeNull()
  expect(await ids({ agent: 'a' })).toEqual(['s4', 's0'])
  expect(await ids({ archived: true })).toEqual(['s2'])
  expect(await ids({ status: 'running' })).toEqual(['s3'])
  expect(await ids({ query: 'title_1' })).toEqual(['s1'])
  expect(await ids({ query: 'titleX1' })).toEqual([])
  expect(await ids({ query: '100%' })).toHaveLength(4)
  expect(await ids({ query: '/home' })).toHaveLength(4)
  expect(await catalogue.unfinished()).toEqual(['s3'])
  await journal.append('s3' as SessionId, [{ type: 'session-archived' }])
  await catchUp({ ...house, journal }, 's3' as SessionId)
  expect(await ids({ status: 'running' })).toEqual(['s3'])
  expect(await ids({ status: 'running', archived: false })).toEqual([])
  expect(await ids({})).toEqual(['s4', 's1', 's0'])
  const question = { type: 'tool-approval-request', toolCallId: 'c', approvalId: 'a' } as const
  const chunks = [{ thread: null, chunk: question }]
  const asks = {
    type: 'agent-spoke',
    interaction: 'i3',
    connection: 'c',
    raw: '',
    chunks,
  } as unknown as Event
  await journal.append('s3' as SessionId, [asks])
  await catchUp({ ...house, journal }, 's3' as SessionId)
  expect(await ids({ status: 'waiting' })).toEqual(['s3'])
  await expect(catalogue.list({ limit: 1, cursor: "'; drop table message" })).rejects.toMatchObject({
    code: 'invalid-input',
  })
})

it('[P9] a session is found by the names that its agent gave it, old and new', async () => {
  const house = open()
  await house.journal.create(s, [created(), started('i', 'go')])
  const introduce = (agentSession: string) =>
    spoke('i', [{ type: 'data-session', data: { agent: 'puppet', agentSession, model: null, cwd: null } }])
  await house.journal.append(s, [introduce('one')])
  await catchUp(house, s)
  await house.journal.append(s, [introduce('two'), ended('i')])
  await catchUp(house, s)
  for (const name of ['one', 'two'])
    expect(await house.catalogue.findByAgentSession('puppet', name)).toMatchObject([
      { session: s, agentSession: 'two' },
    ])
  expect(await house.catalogue.findByAgentSession('other', 'one')).toEqual([])
})

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

it('[J5] the rows of messages tell where they lie, whose they are, and whether they count', async () => {
  const house = open()
  await house.journal.create(s, story)
  await catchUp(house, s)
  const { messages } = await house.catalogue.messages(s, { thread: null, limit: 10 })
  const brief = messages.map(({ id, role, parent, synthetic, firstSeq, lastSeq, validity }) =>
    [id, role, parent, synthetic, firstSeq, lastSeq, validity].join(' '),
  )
  expect(brief).toEqual([
    'm3 assistant prompt-i3 false 14  active',
    'prompt-i3 user m2 false 13 13 active',
    'm2 assistant m1 true 9 10 active',
    'm1 assistant prompt-i1 false 3 12 superseded',
    'prompt-i1 user  false 2 2 superseded',
  ])
  expect(messages[3]?.metadata).toEqual({ a: 1, b: 2, deep: { x: 1, y: 2 } })
  expect((await house.catalogue.messages(s, { thread: 't1', limit: 10 })).messages).toMatchObject([
    { id: 'm1-sub', parent: 'm1', interaction: 'i1', firstSeq: 4, lastSeq: 5 },
  ])
  expect(await house.catalogue.hasInteraction(s, 'i2' as InteractionId)).toBe(true)
  expect(await house.catalogue.hasInteraction(s, 'i9' as InteractionId)).toBe(false)
})

it('[J5] messages are read page by page from where they lie, the same as from the whole journal', async () => {
  const house = open()
  await house.journal.create(s, story)
  await catchUp(house, s)
  const asOf = story.length
  const whole = foldEntries(createMessages(), await house.journal.read(s, 0, 100)).get(null) ?? []
  const pages = []
  for (let before: number | undefined; ;) {
    const read = await readMessages(house, s, { thread: null, limit: 2, ...(before && { before }) }, asOf)
    pages.unshift(...read.messages)
    if (read.next === null) break
    before = read.next
  }
  expect(pages).toEqual(whole)
  const none = await readMessages(house, s, { thread: 'nobody', limit: 2 }, asOf)
  expect(none).toEqual({ messages: [], next: null, asOf })
})

it('[J6] rows catch up from wherever they are, and any order of interruptions gives the same', async () => {
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

it('[J6] a row that is ahead of the journal, or of another version, is made again', async () => {
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

it('[J9] rows of an earlier version are listed as they were, and made again when their session is opened', async () => {
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

it('[X5] deleted sessions are listed only when asked for, archived or not, and not found by their agent', async () => {
  const house = open()
  const introduction = spoke('i', [
    { type: 'data-session', data: { agent: 'puppet', agentSession: 'theirs', model: null, cwd: null } },
  ])
  const histories: Readonly<Record<string, readonly Event[]>> = {
    kept: [],
    gone: [{ type: 'session-deleted' }],
    both: [{ type: 'session-archived' }, { type: 'session-deleted' }],
    back: [{ type: 'session-deleted' }, { type: 'session-undeleted' }],
  }
  for (const [id, events] of Object.entries(histories)) {
    await house.journal.create(id as SessionId, [created(), started('i', 'x'), introduction, ended('i')])
    await house.journal.append(id as SessionId, events)
    await catchUp(house, id as SessionId)
  }
  const ids = async (filter: object) =>
    (await house.catalogue.list({ limit: 9, ...filter })).sessions.map(({ session }) => session).toSorted()
  expect(await ids({})).toEqual(['back', 'kept'])
  expect(await ids({ deleted: true })).toEqual(['both', 'gone'])
  expect(await ids({ deleted: true, archived: true })).toEqual(['both'])
  const found = await house.catalogue.findByAgentSession('puppet', 'theirs')
  expect(found.map(({ session }) => session).toSorted()).toEqual(['back', 'kept'])
})

it('[T6] the first settling of an approval stays: a second one does not replace the winner', async () => {
  const { journal, catalogue } = open()
  const approval = 'a' as ApprovalId
  const answer: Event = { type: 'approval-answered', approval, approved: true, reason: null, always: false }
  await journal.create(s, [
    created(),
    started('i', 'go'),
    spoke('i', [
      { type: 'start', messageId: 'm' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'Bash', input: { command: 'ls' }, ...call },
      { type: 'tool-approval-request', approvalId: approval, toolCallId: 'c' },
    ]),
    answer,
    { ...answer, approved: false },
    { type: 'approval-lapsed', approval, reason: 'Too late.' },
  ])
  await catchUp({ journal, catalogue }, s)
  expect(await catalogue.findApproval(s, approval)).toEqual({ askedSeq: 3, settledSeq: 4 })
})
