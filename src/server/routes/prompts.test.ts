import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

let server: Opened
beforeAll(async () => {
  server = await openDragoman()
})
afterAll(() => server[Symbol.asyncDispose]())

describe('prompts', () => {
  it('[C1] are saved before they are accepted, and never run twice', async () => {
    const session = await server.session()
    const send = () => server.call('prompt', { params: { session }, body: { id: 'p1', text: 'hello' } })
    const first = await send()
    expect(first).toMatchObject({ status: 202, json: { id: 'p1', repeated: false } })
    const again = await send()
    expect(again).toMatchObject({ status: 202, json: { id: 'p1', repeated: true, seq: first.json.seq } })
    await server.dragoman.sessions.whenIdle(session as SessionId)
    const { json } = await server.call('getSession', { params: { session } })
    expect(json).toMatchObject({ interactions: 1, status: 'idle' })
  })

  it('[T6] with an ID that belongs to another prompt get 409, and nothing is saved', async () => {
    const session = await server.session()
    const send = (text: string) => server.call('prompt', { params: { session }, body: { id: 'p1', text } })
    const first = await send('hello')
    await server.dragoman.sessions.whenIdle(session as SessionId)
    const before = await server.call('listMessages', { params: { session } })
    expect(await send('something else')).toMatchObject({
      status: 409,
      json: {
        code: 'prompt-exists',
        detail: 'Prompt ID p1 belongs to another prompt in this session. Send this one with a new ID.',
      },
    })
    expect(await send('hello')).toMatchObject({ status: 202, json: { repeated: true, seq: first.json.seq } })
    const after = await server.call('listMessages', { params: { session } })
    expect(after.json).toEqual(before.json)
  })

  it('[C1] are queued, and can be cancelled', async () => {
    const session = await server.session()
    await server.call('prompt', { params: { session }, body: { text: 'a hang' } })
    const queued = await server.call('prompt', {
      params: { session },
      body: { id: 'later', parts: [{ type: 'text', text: 'hello' }] },
    })
    expect(queued.json).toMatchObject({ queued: true, interaction: null })
    expect((await server.call('getSession', { params: { session } })).json.queue).toMatchObject([
      { prompt: 'later', held: false },
    ])
    expect((await server.call('withdrawPrompt', { params: { session, prompt: 'later' } })).status).toBe(200)
    expect(await server.call('withdrawPrompt', { params: { session, prompt: 'later' } })).toMatchObject({
      status: 404,
      json: { code: 'unknown-prompt' },
    })
    const stopped = await server.call('interrupt', { params: { session } })
    expect(stopped.status).toBe(202)
    expect(stopped.json.interaction).not.toBe(null)
    await server.dragoman.sessions.whenIdle(session as SessionId)
    expect(await server.call('interrupt', { params: { session } })).toMatchObject({
      status: 202,
      json: { interaction: null },
    })
    expect(await server.call('continueQueue', { params: { session } })).toMatchObject({
      status: 202,
      json: { prompts: 0 },
    })
  })

  it('[C2] can replace everything after a message', async () => {
    const session = await server.session()
    await server.run(session, 'first')
    await server.run(session, 'second')
    const before = await server.call('listMessages', { params: { session } })
    expect(before.json.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    const parentId = before.json.messages[1]?.id ?? ''
    expect(
      (await server.call('prompt', { params: { session }, body: { text: 'other', parentId } })).status,
    ).toBe(202)
    await server.dragoman.sessions.whenIdle(session as SessionId)
    const { json } = await server.call('listMessages', { params: { session } })
    expect(json.messages).toHaveLength(4)
    expect(json.messages[2]?.parts).toMatchObject([{ type: 'text', text: 'other' }])
    expect(
      await server.call('prompt', { params: { session }, body: { text: 'x', parentId: 'nobody' } }),
    ).toMatchObject({ status: 404, json: { code: 'unknown-message' } })
  })

  it('[C2] can branch off into a new session', async () => {
    const session = await server.session()
    await server.run(session, 'first')
    const { json } = await server.call('listMessages', { params: { session } })
    const messageId = json.messages[1]?.id ?? ''
    const branched = await server.call('branch', { params: { session }, body: { messageId } })
    expect(branched.status).toBe(201)
    expect(branched.json.branch).toMatchObject({ session, message: messageId })
    const copied = await server.call('listMessages', { params: { session: branched.json.id } })
    expect(copied.json.messages.map(({ parts }) => parts)).toEqual(json.messages.map(({ parts }) => parts))
    expect(await server.call('branch', { params: { session }, body: { messageId: 'nobody' } })).toMatchObject(
      {
        status: 404,
      },
    )
  })
})

describe('approvals', () => {
  it('[C3] are answered once; a later answer gets the first one', async () => {
    const session = await server.session()
    await server.call('prompt', { params: { session }, body: { text: 'an approval' } })
    const asked = await server.asked(session)
    expect(asked).toMatchObject({ tool: 'Bash', input: { command: 'rm -r build' }, by: null })
    const { json: snapshot } = await server.call('getSnapshot', { params: { session } })
    expect(snapshot.session).toMatchObject({ status: 'waiting', pending: 1 })
    expect(snapshot.approvals).toMatchObject([{ id: asked.id, status: 'pending' }])
    const answer = (approved: boolean) =>
      server.call('answerApproval', {
        params: { session, approval: asked.id },
        body: { approved, reason: 'Why not.' },
      })
    const answers = await Promise.all([answer(true), answer(false)])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    const loser = answers.find(({ status }) => status === 409)
    expect(loser?.json).toMatchObject({ code: 'approval-settled', winner: expect.anything() as unknown })
    await server.dragoman.sessions.whenIdle(session as SessionId)
    const { json: all } = await server.call('listApprovals', { params: { session }, query: { all: '1' } })
    expect(all.approvals).toMatchObject([{ id: asked.id, by: 'person', reason: 'Why not.' }])
  })

  it('[C3] can be granted always, and the rule can be revoked', async () => {
    const session = await server.session()
    await server.call('prompt', { params: { session }, body: { text: 'an approval' } })
    const { id: approval } = await server.asked(session)
    await server.call('answerApproval', {
      params: { session, approval },
      body: { approved: true, always: true },
    })
    await server.dragoman.sessions.whenIdle(session as SessionId)
    await server.run(session, 'an approval')
    const { json } = await server.call('listApprovals', { params: { session }, query: { all: '1' } })
    expect(json.approvals.map(({ by }) => by)).toEqual(['person', 'rule'])
    expect(json.rules).toMatchObject([{ tool: 'Bash', command: 'rm -r build', approval }])
    const rule = json.rules[0]?.id ?? ''
    expect((await server.call('revokeRule', { params: { session, rule } })).status).toBe(200)
    expect(await server.call('revokeRule', { params: { session, rule } })).toMatchObject({
      status: 404,
      json: { code: 'unknown-rule' },
    })
  })

  it('[S10] show what a rule would cover; rules of all sessions are listed and can be revoked', async () => {
    const session = await server.session()
    await server.call('prompt', { params: { session }, body: { text: 'an approval' } })
    const asked = await server.asked(session)
    const scope = { tool: 'Bash', input: { command: 'rm -r build' } }
    expect(asked).toMatchObject({ rule: scope, ruleReason: null })
    const body = { approved: true, always: true }
    await server.call('answerApproval', { params: { session, approval: asked.id }, body })
    await server.dragoman.sessions.whenIdle(session as SessionId)
    await server.run(session, 'an approval')
    const rules = async () =>
      (await server.call('listRules', {})).json.rules.filter(each => each.session === session)
    const [rule] = await rules()
    expect(rule).toMatchObject({ session, agent: 'scripted', ...scope, approval: asked.id, used: 1 })
    expect(rule?.made.seq).toBeGreaterThan(0)
    const revoke = { params: { rule: rule?.id ?? '' } }
    expect((await server.call('revokeRuleAnywhere', revoke)).status).toBe(200)
    expect(await rules()).toEqual([])
    expect(await server.call('revokeRuleAnywhere', revoke)).toMatchObject({
      status: 404,
      json: { code: 'unknown-rule' },
    })
  })

  it('[S10] refuse "always" with 409 and a reason if no rule is possible, and stay open', async () => {
    const session = await server.session()
    await server.call('prompt', { params: { session }, body: { text: 'a question' } })
    const asked = await server.asked(session)
    expect(asked).toMatchObject({ rule: null, ruleReason: 'A question needs a new answer each time.' })
    const answer = (body: { approved: boolean; always?: boolean }) =>
      server.call('answerApproval', { params: { session, approval: asked.id }, body })
    expect(await answer({ approved: true, always: true })).toMatchObject({
      status: 409,
      json: {
        code: 'rule-refused',
        detail: expect.stringContaining('needs a new answer each time') as string,
      },
    })
    expect((await answer({ approved: false })).status).toBe(200)
  })

  it('[C3] with an unknown id are refused', async () => {
    const session = await server.session()
    const forged = await server.call('answerApproval', {
      params: { session, approval: 'forged' },
      body: { approved: true },
    })
    expect(forged).toMatchObject({ status: 404, json: { code: 'unknown-approval' } })
  })
})
