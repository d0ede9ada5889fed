import { expect, it } from 'vitest'
import type { Chunk } from '../../protocol/chunk.ts'
import { openHouse } from '../house.fixture.ts'
import { createPuppet, type Act } from '../puppet.fixture.ts'

const asking: Act = async ({ say, answer }) => {
  say({ t: 'begin' })
  say({ t: 'ask', id: 'q' })
  const { approved, input } = await answer('q')
  say({ t: 'say', text: JSON.stringify([approved, input]) })
  say({ t: 'result', call: 'call-q' })
  say({ t: 'end' })
}

const on = (chunk: Chunk | undefined) => (chunk === undefined ? [] : [{ thread: null, chunk }])

async function ask(act: Act = asking, changedInput = true) {
  const house = await openHouse([createPuppet({ act, changedInput })])
  const session = await house.create()
  await house.prompt(session, 'go')
  await expect.poll(async () => (await house.sessions.get(session)).status).toBe('waiting')
  return { house, session }
}

it('[T6] an answer reaches the agent with its edited input, and the first answer wins', async () => {
  const { house, session } = await ask()
  await using sessions = house.sessions
  expect((await sessions.approvals(session)).approvals).toMatchObject([
    { id: 'q', status: 'pending', toolCallId: 'call-q', tool: 'rm', input: { path: '/' }, by: null },
  ])
  const answer = { type: 'answer', session, approval: 'q' } as const
  const results = await Promise.allSettled([
    sessions.execute({ ...answer, approved: true, input: { path: '/tmp' }, always: true }),
    sessions.execute({ ...answer, approved: false }),
    sessions.execute({ ...answer, approved: false }),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  for (const result of results.slice(1))
    expect(result).toMatchObject({
      reason: { code: 'approval-settled', details: { winner: { event: { approved: true } } } },
    })
  await sessions.whenIdle(session)
  const said = (await house.events(session, 'agent-spoke')).map(({ raw }) => raw)
  expect(said).toContain(JSON.stringify({ t: 'say', text: JSON.stringify([true, { path: '/tmp' }]) }))
  expect(await house.events(session, 'approval-answered')).toMatchObject([
    { approved: true, always: true, input: { path: '/tmp' } },
  ])
  expect((await sessions.approvals(session)).approvals).toEqual([])
  await expect(sessions.execute({ ...answer, approved: true })).rejects.toMatchObject({
    code: 'approval-settled',
  })
  const unknown = sessions.execute({ ...answer, approval: 'never', approved: true })
  await expect(unknown).rejects.toMatchObject({ code: 'unknown-approval' })
})

it('[T6] a question expires when its interaction ends, and a later answer is refused with that reason', async () => {
  const { house, session } = await ask(async ({ say, interrupted }) => {
    say({ t: 'begin' })
    say({ t: 'ask', id: 'q' })
    interrupted.addEventListener('abort', () => say({ t: 'end', reason: 'interrupted' }))
  })
  await using sessions = house.sessions
  await sessions.execute({ type: 'interrupt', session })
  await sessions.whenIdle(session)
  const late = sessions.execute({ type: 'answer', session, approval: 'q', approved: true })
  await expect(late).rejects.toMatchObject({
    code: 'approval-settled',
    details: { winner: { event: { type: 'approval-lapsed' } } },
  })
})

it('[T6] a question expires when the agent continues without an answer', async () => {
  const goOn = Promise.withResolvers<void>()
  const { house, session } = await ask(async ({ say }) => {
    say({ t: 'begin' })
    say({ t: 'ask', id: 'q' })
    await goOn.promise
    say({ t: 'result', call: 'call-q' })
  })
  await using sessions = house.sessions
  goOn.resolve()
  await expect.poll(async () => (await sessions.get(session)).status).toBe('running')
  expect(await house.events(session, 'approval-lapsed')).toMatchObject([{ approval: 'q' }])
})

it('[T6] a question of background work stays pending while nothing runs and while another interaction runs', async () => {
  const asked: readonly Chunk[] = [
    { type: 'start', messageId: 'm' },
    {
      type: 'tool-input-available',
      toolCallId: 'c',
      toolName: 'rm',
      input: 1,
      dynamic: true,
      providerExecuted: true,
    },
    { type: 'tool-approval-request', approvalId: 'late', toolCallId: 'c' },
  ]
  const act: Act = async ({ say, answer, text }) => {
    if (text === 'next') return
    say({ t: 'chunks', chunks: [asked[0], { type: 'finish' } as const].flatMap(on) })
    say({ t: 'chunks', chunks: asked.flatMap(on) })
    const { approved } = await answer('late')
    say({ t: 'say', text: `${approved}` })
  }
  const house = await openHouse([createPuppet({ act })])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'go')
  await expect.poll(async () => (await sessions.get(session)).pending).toMatchObject([{ approval: 'late' }])
  expect((await sessions.get(session)).status).toBe('idle')
  await house.prompt(session, 'next')
  expect((await sessions.get(session)).status).toBe('waiting')
  expect((await sessions.approvals(session)).approvals).toMatchObject([
    { id: 'late', status: 'pending', tool: 'rm' },
  ])
  await sessions.execute({ type: 'answer', session, approval: 'late', approved: true })
  expect(await sessions.get(session)).toMatchObject({ status: 'running', pending: [] })
  await expect
    .poll(async () => (await house.events(session, 'agent-spoke')).at(-1)?.raw)
    .toBe('{"t":"say","text":"true"}')
})

it('[T6] a pending question expires when the server dies, and stays settled', async () => {
  const { house, session } = await ask()
  await house.sessions[Symbol.asyncDispose]()
  const later = await house.reopen()
  await using sessions = later.sessions
  const late = sessions.execute({ type: 'answer', session, approval: 'q', approved: true })
  await expect(late).rejects.toMatchObject({ code: 'approval-settled' })
  expect((await sessions.get(session)).status).toBe('idle')
})

it('[T6] [R2] an edited input for an agent that cannot use it is refused with a reason, and the question stays pending', async () => {
  const { house, session } = await ask(asking, false)
  await using sessions = house.sessions
  const answer = { type: 'answer', session, approval: 'q', approved: true } as const
  await expect(sessions.execute({ ...answer, input: { path: '/tmp' } })).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('cannot run a call with edited input') as string,
  })
  expect((await sessions.get(session)).status).toBe('waiting')
  await sessions.execute({ ...answer, input: 'mine' })
  await sessions.whenIdle(session)
  expect(await house.events(session, 'approval-answered')).toMatchObject([{ approved: true, input: 'mine' }])
})
