import { expect, it } from 'vitest'
import { openHouse } from './house.fixture.ts'
import { createPuppet, type Act } from './puppet.fixture.ts'

const asking: Act = async ({ say, answer }) => {
  say({ t: 'begin' })
  say({ t: 'ask', id: 'q' })
  const { approved, input } = await answer('q')
  say({ t: 'say', text: JSON.stringify([approved, input]) })
  say({ t: 'result', call: 'call-q' })
  say({ t: 'end' })
}

async function ask(act: Act = asking) {
  const house = await openHouse([createPuppet({ act })])
  const session = await house.create()
  await house.prompt(session, 'go')
  await expect.poll(async () => (await house.sessions.get(session)).status).toBe('waiting')
  return { house, session }
}

it('[T6] an answer reaches the agent with its changed input, and the first wins', async () => {
  const { house, session } = await ask()
  await using sessions = house.sessions
  expect(await sessions.approvals(session)).toMatchObject([
    { id: 'q', status: 'pending', toolCallId: 'call-q', tool: 'rm', input: { path: '/' } },
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
  expect(await sessions.approvals(session)).toEqual([])
  await expect(sessions.execute({ ...answer, approved: true })).rejects.toMatchObject({
    code: 'approval-settled',
  })
  const unknown = sessions.execute({ ...answer, approval: 'never', approved: true })
  await expect(unknown).rejects.toMatchObject({ code: 'unknown-approval' })
})

it('[T6] a question lapses when its interaction ends, and a later answer learns of it', async () => {
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

it('[T6] a question lapses when the agent goes on without an answer', async () => {
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

it('[T6] a pending question lapses when the server dies, and is settled for ever', async () => {
  const { house, session } = await ask()
  await house.sessions[Symbol.asyncDispose]()
  const later = await house.reopen()
  await using sessions = later.sessions
  const late = sessions.execute({ type: 'answer', session, approval: 'q', approved: true })
  await expect(late).rejects.toMatchObject({ code: 'approval-settled' })
  expect((await sessions.get(session)).status).toBe('idle')
})
