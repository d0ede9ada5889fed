import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

let house: Opened
beforeAll(async () => {
  house = await openDragoman()
})
afterAll(() => house[Symbol.asyncDispose]())

describe('prompts', () => {
  it('[C1] are saved when they are accepted, and never run twice', async () => {
    const session = await house.session()
    const send = () => house.call('prompt', { params: { session }, body: { id: 'p1', text: 'hello' } })
    const first = await send()
    expect(first).toMatchObject({ status: 202, json: { id: 'p1', repeated: false } })
    const again = await send()
    expect(again).toMatchObject({ status: 202, json: { id: 'p1', repeated: true, seq: first.json.seq } })
    await house.dragoman.sessions.whenIdle(session as SessionId)
    const { json } = await house.call('getSession', { params: { session } })
    expect(json).toMatchObject({ interactions: 1, status: 'idle' })
  })

  it('[T6] with an ID that belongs to another prompt get 409, and nothing is saved', async () => {
    const session = await house.session()
    const send = (text: string) => house.call('prompt', { params: { session }, body: { id: 'p1', text } })
    const first = await send('hello')
    await house.dragoman.sessions.whenIdle(session as SessionId)
    const before = await house.call('listMessages', { params: { session } })
    expect(await send('something else')).toMatchObject({
      status: 409,
      json: {
        code: 'prompt-exists',
        detail: 'Prompt ID p1 belongs to another prompt in this session. Send this one with a new ID.',
      },
    })
    expect(await send('hello')).toMatchObject({ status: 202, json: { repeated: true, seq: first.json.seq } })
    const after = await house.call('listMessages', { params: { session } })
    expect(after.json).toEqual(before.json)
  })

  it('[C1] wait in line, and can be taken back', async () => {
    const session = await house.session()
    await house.call('prompt', { params: { session }, body: { text: 'a hang' } })
    const queued = await house.call('prompt', {
      params: { session },
      body: { id: 'later', parts: [{ type: 'text', text: 'hello' }] },
    })
    expect(queued.json).toMatchObject({ queued: true, interaction: null })
    expect((await house.call('getSession', { params: { session } })).json.queue).toMatchObject([
      { prompt: 'later', held: false },
    ])
    expect((await house.call('withdrawPrompt', { params: { session, prompt: 'later' } })).status).toBe(200)
    expect(await house.call('withdrawPrompt', { params: { session, prompt: 'later' } })).toMatchObject({
      status: 404,
      json: { code: 'unknown-prompt' },
    })
    const stopped = await house.call('interrupt', { params: { session } })
    expect(stopped.status).toBe(202)
    expect(stopped.json.interaction).not.toBe(null)
    await house.dragoman.sessions.whenIdle(session as SessionId)
    expect(await house.call('interrupt', { params: { session } })).toMatchObject({
      status: 202,
      json: { interaction: null },
    })
    expect(await house.call('continueQueue', { params: { session } })).toMatchObject({
      status: 202,
      json: { prompts: 0 },
    })
  })

  it('[C2] replace what came after a message', async () => {
    const session = await house.session()
    await house.run(session, 'first')
    await house.run(session, 'second')
    const before = await house.call('listMessages', { params: { session } })
    expect(before.json.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    const parentId = before.json.messages[1]?.id ?? ''
    expect(
      (await house.call('prompt', { params: { session }, body: { text: 'other', parentId } })).status,
    ).toBe(202)
    await house.dragoman.sessions.whenIdle(session as SessionId)
    const { json } = await house.call('listMessages', { params: { session } })
    expect(json.messages).toHaveLength(4)
    expect(json.messages[2]?.parts).toMatchObject([{ type: 'text', text: 'other' }])
    expect(
      await house.call('prompt', { params: { session }, body: { text: 'x', parentId: 'nobody' } }),
    ).toMatchObject({ status: 404, json: { code: 'unknown-message' } })
  })

  it('[C2] branch off into a session of their own', async () => {
    const session = await house.session()
    await house.run(session, 'first')
    const { json } = await house.call('listMessages', { params: { session } })
    const messageId = json.messages[1]?.id ?? ''
    const branched = await house.call('branch', { params: { session }, body: { messageId } })
    expect(branched.status).toBe(201)
    expect(branched.json.branch).toMatchObject({ session, message: messageId })
    const copied = await house.call('listMessages', { params: { session: branched.json.id } })
    expect(copied.json.messages.map(({ parts }) => parts)).toEqual(json.messages.map(({ parts }) => parts))
    expect(await house.call('branch', { params: { session }, body: { messageId: 'nobody' } })).toMatchObject({
      status: 404,
    })
  })
})

describe('approvals', () => {
  it('[C3] are answered once; whoever comes later learns who won', async () => {
    const session = await house.session()
    await house.call('prompt', { params: { session }, body: { text: 'an approval' } })
    const asked = await house.asked(session)
    expect(asked).toMatchObject({ tool: 'Bash', input: { command: 'rm -r build' }, by: null })
    const { json: snapshot } = await house.call('getSnapshot', { params: { session } })
    expect(snapshot.session).toMatchObject({ status: 'waiting', pending: 1 })
    expect(snapshot.approvals).toMatchObject([{ id: asked.id, status: 'pending' }])
    const answer = (approved: boolean) =>
      house.call('answerApproval', {
        params: { session, approval: asked.id },
        body: { approved, reason: 'Why not.' },
      })
    const answers = await Promise.all([answer(true), answer(false)])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    const loser = answers.find(({ status }) => status === 409)
    expect(loser?.json).toMatchObject({ code: 'approval-settled', winner: expect.anything() as unknown })
    await house.dragoman.sessions.whenIdle(session as SessionId)
    const { json: all } = await house.call('listApprovals', { params: { session }, query: { all: '1' } })
    expect(all.approvals).toMatchObject([{ id: asked.id, by: 'person', reason: 'Why not.' }])
  })

  it('[C3] can be given for always, and that can be taken back', async () => {
    const session = await house.session()
    await house.call('prompt', { params: { session }, body: { text: 'an approval' } })
    const { id: approval } = await house.asked(session)
    await house.call('answerApproval', {
      params: { session, approval },
      body: { approved: true, always: true },
    })
    await house.dragoman.sessions.whenIdle(session as SessionId)
    await house.run(session, 'an approval')
    const { json } = await house.call('listApprovals', { params: { session }, query: { all: '1' } })
    expect(json.approvals.map(({ by }) => by)).toEqual(['person', 'rule'])
    expect(json.rules).toMatchObject([{ tool: 'Bash', command: 'rm -r build', approval }])
    const rule = json.rules[0]?.id ?? ''
    expect((await house.call('revokeRule', { params: { session, rule } })).status).toBe(200)
    expect(await house.call('revokeRule', { params: { session, rule } })).toMatchObject({
      status: 404,
      json: { code: 'unknown-rule' },
    })
  })

  it('[S10] tell what a rule would cover; rules of all sessions are listed and can be revoked', async () => {
    const session = await house.session()
    await house.call('prompt', { params: { session }, body: { text: 'an approval' } })
    const asked = await house.asked(session)
    const scope = { tool: 'Bash', input: { command: 'rm -r build' } }
    expect(asked).toMatchObject({ rule: scope, ruleReason: null })
    const body = { approved: true, always: true }
    await house.call('answerApproval', { params: { session, approval: asked.id }, body })
    await house.dragoman.sessions.whenIdle(session as SessionId)
    await house.run(session, 'an approval')
    const rules = async () =>
      (await house.call('listRules', {})).json.rules.filter(each => each.session === session)
    const [rule] = await rules()
    expect(rule).toMatchObject({ session, agent: 'scripted', ...scope, approval: asked.id, used: 1 })
    expect(rule?.made.seq).toBeGreaterThan(0)
    const revoke = { params: { rule: rule?.id ?? '' } }
    expect((await house.call('revokeRuleAnywhere', revoke)).status).toBe(200)
    expect(await rules()).toEqual([])
    expect(await house.call('revokeRuleAnywhere', revoke)).toMatchObject({
      status: 404,
      json: { code: 'unknown-rule' },
    })
  })

  it('[S10] refuse "always" with 409 and a sentence where no rule can be made, and stay open', async () => {
    const session = await house.session()
    await house.call('prompt', { params: { session }, body: { text: 'a question' } })
    const asked = await house.asked(session)
    expect(asked).toMatchObject({ rule: null, ruleReason: 'A question needs a new answer each time.' })
    const answer = (body: { approved: boolean; always?: boolean }) =>
      house.call('answerApproval', { params: { session, approval: asked.id }, body })
    expect(await answer({ approved: true, always: true })).toMatchObject({
      status: 409,
      json: {
        code: 'rule-refused',
        detail: expect.stringContaining('needs a new answer each time') as string,
      },
    })
    expect((await answer({ approved: false })).status).toBe(200)
  })

  it('[C3] that nobody asked for are unknown', async () => {
    const session = await house.session()
    const forged = await house.call('answerApproval', {
      params: { session, approval: 'forged' },
      body: { approved: true },
    })
    expect(forged).toMatchObject({ status: 404, json: { code: 'unknown-approval' } })
  })
})
