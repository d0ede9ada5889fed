import assert from 'node:assert/strict'
import type { Event } from '../../protocol/event.ts'
import type { ApprovalId, ConnectionId, RuleId } from '../../protocol/ids.ts'
import type { SessionFilter } from '../list-sessions.ts'
import { ask, codeOf, created, ended, named, spoke, started, type Tests } from './stories.ts'

const introduced = (agentSession: string): Event =>
  spoke('i', null, {
    type: 'data-session',
    data: { agent: 'test', agentSession, model: null, cwd: null },
  })

const connected: Event = {
  type: 'agent-connected',
  agent: 'test',
  connection: 'c' as ConnectionId,
  process: null,
  resumed: null,
}
const exited: Event = {
  type: 'agent-exited',
  connection: 'c' as ConnectionId,
  code: 1,
  signal: null,
  reason: null,
  chunks: [],
}

const rule = (id: string): Event => ({
  type: 'rule-made',
  rule: id as RuleId,
  tool: 'Bash',
  agent: 'test',
  input: { command: 'ls' },
  approval: 'a' as ApprovalId,
})

/** How sessions are listed and found. */
export const sessions: Tests = {
  '[J6] lists sessions newest first, by cursor, and finds them by text, agent and status': async (
    catalogue,
    stories,
  ) => {
    for (const [index, agent] of ['a', 'b', 'a', 'b', 'a'].entries())
      await stories.tell(`s${index}`, created(agent, `Title_${index} 100%`))
    await stories.tell('s2', { type: 'session-archived' })
    await stories.tell('s3', started('i'))
    const ids = async (filter: Partial<SessionFilter>) =>
      (await catalogue.list({ limit: 10, ...filter })).sessions.map(({ session }) => session)

    const first = await catalogue.list({ limit: 2 })
    assert.deepEqual(
      first.sessions.map(({ session }) => session),
      ['s4', 's3'],
    )
    const second = await catalogue.list({ limit: 2, cursor: first.next ?? '' })
    assert.deepEqual(
      second.sessions.map(({ session }) => session),
      ['s1', 's0'],
    )
    assert.equal(second.next, null)
    assert.deepEqual(await ids({ agent: 'a' }), ['s4', 's0'])
    assert.deepEqual(await ids({ archived: true }), ['s2'])
    assert.deepEqual(await ids({ status: 'running' }), ['s3'])
    assert.deepEqual(await ids({ query: 'title_1' }), ['s1'])
    assert.deepEqual(await ids({ query: 'titleX1' }), [])
    assert.equal((await ids({ query: '100%' })).length, 4)
    assert.equal((await ids({ query: '/home' })).length, 4)
    assert.equal(await codeOf(catalogue.list({ limit: 1, cursor: "'; drop table message" })), 'invalid-input')
  },
  '[J6] lists archived sessions that run or wait, so that no agent waits unseen': async (
    catalogue,
    stories,
  ) => {
    await stories.tell('s', created(), started('i'), { type: 'session-archived' })
    const ids = async (filter: Partial<SessionFilter>) =>
      (await catalogue.list({ limit: 10, ...filter })).sessions.map(({ session }) => session)
    assert.deepEqual(await ids({ status: 'running' }), ['s'])
    assert.deepEqual(await ids({ status: 'running', archived: false }), [])
    assert.deepEqual(await ids({}), [])
    await stories.tell('s', spoke('i', null, ask('c', 'a')))
    assert.deepEqual(await ids({ status: 'waiting' }), ['s'])
  },
  '[W1] lists pinned sessions on request, and has the branch that the agent reported last': async (
    catalogue,
    stories,
  ) => {
    const onBranch = (branch: string): Event =>
      spoke('i', null, {
        type: 'data-session',
        data: { agent: 'test', agentSession: 'a', model: null, cwd: null, branch },
      })
    await stories.tell('one', created(), started('i'), onBranch('main'), { type: 'session-pinned' })
    await stories.tell('two', created(), { type: 'session-pinned' }, { type: 'session-unpinned' })
    await stories.tell('gone', created(), { type: 'session-pinned' }, { type: 'session-deleted' })
    await stories.tell('one', onBranch('fix/it'), introduced('b'))
    const found = async (filter: Partial<SessionFilter>) =>
      (await catalogue.list({ limit: 9, ...filter })).sessions.map(each => [
        each.session,
        each.pinned,
        each.gitBranch,
      ])
    assert.deepEqual(await found({ pinned: true }), [['one', true, 'fix/it']])
    assert.deepEqual(await found({ pinned: false }), [['two', false, null]])
    assert.equal((await found({})).length, 2)
  },
  '[X5] lists deleted sessions only on request, and does not find them by their agent': async (
    catalogue,
    stories,
  ) => {
    const histories: Readonly<Record<string, readonly Event[]>> = {
      kept: [],
      gone: [{ type: 'session-deleted' }],
      both: [{ type: 'session-archived' }, { type: 'session-deleted' }],
      back: [{ type: 'session-deleted' }, { type: 'session-undeleted' }],
    }
    for (const [id, events] of Object.entries(histories))
      await stories.tell(id, created(), started('i'), introduced('theirs'), ended('i'), ...events)
    const ids = async (filter: Partial<SessionFilter>) =>
      (await catalogue.list({ limit: 9, ...filter })).sessions.map(({ session }) => session).toSorted()
    assert.deepEqual(await ids({}), ['back', 'kept'])
    assert.deepEqual(await ids({ deleted: true }), ['both', 'gone'])
    assert.deepEqual(await ids({ deleted: true, archived: true }), ['both'])
    const found = await catalogue.findByAgentSession('test', 'theirs')
    assert.deepEqual(found.map(({ session }) => session).toSorted(), ['back', 'kept'])
    const all = await catalogue.findByAgentSession('test', 'theirs', { deleted: true })
    assert.deepEqual(all.map(({ session }) => session).toSorted(), ['back', 'both', 'gone', 'kept'])
  },
  '[P9] finds a session by every id that its agent gave it': async (catalogue, stories) => {
    await stories.tell('s', created(), started('i'), introduced('one'))
    await stories.tell('s', introduced('two'), ended('i'))
    for (const id of ['one', 'two']) {
      const found = await catalogue.findByAgentSession('test', id)
      assert.deepEqual(
        found.map(({ session, agentSession }) => [session, agentSession]),
        [['s', 'two']],
      )
    }
    assert.deepEqual(await catalogue.findByAgentSession('other', 'one'), [])
  },
  '[R1] names the sessions that a recovery must check: running ones and those with an agent': async (
    catalogue,
    stories,
  ) => {
    const histories = { idle: [], running: [started('i')], agent: [connected], gone: [connected, exited] }
    for (const [id, events] of Object.entries(histories))
      for (const event of [created(), ...events]) await stories.tell(id, event)
    assert.deepEqual((await catalogue.unfinished()).toSorted(), ['agent', 'running'])
  },
  '[X5] lists the rules of all sessions that are not deleted, and summaries by id': async (
    catalogue,
    stories,
  ) => {
    await stories.tell('one', created(), rule('r1'))
    await stories.tell('two', created(), rule('r2'), rule('r3'), {
      type: 'rule-revoked',
      rule: 'r2' as RuleId,
    })
    await stories.tell('gone', created(), rule('r4'), { type: 'session-deleted' })
    assert.deepEqual(
      (await catalogue.rules()).map(({ session, id }) => [session, id]),
      [
        ['two', 'r3'],
        ['one', 'r1'],
      ],
    )
    const summaries = await catalogue.summaries([named('one'), named('gone'), named('nobody')])
    assert.deepEqual(summaries.map(({ session }) => session).toSorted(), ['gone', 'one'])
  },
}
