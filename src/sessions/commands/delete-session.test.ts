import { expect, it } from 'vitest'
import { createFailingJournal } from '../failing-journal.fixture.ts'
import { openHouse } from '../house.fixture.ts'
import { createPuppet } from '../puppet.fixture.ts'

const unknown = { code: 'unknown-session' }

it('[X5] a deleted session counts as unknown, until it is undeleted with everything in it', async () => {
  const house = await openHouse([createPuppet()])
  await using sessions = house.sessions
  const session = await house.create('s')
  await house.prompt(session, 'hello', 'p')
  await sessions.whenIdle(session)
  const { seq } = await sessions.execute({ type: 'delete', session })
  // Its idle agent is ended, too.
  await expect.poll(async () => house.journal.head(session)).toBe(seq + 1)
  expect(await house.events(session, 'session-deleted')).toHaveLength(1)
  const refused = [
    sessions.get(session),
    sessions.messages(session, { thread: null, limit: 1 }),
    sessions.approvals(session),
    sessions.snapshot(session, { limit: 1 }),
    house.prompt(session, 'more'),
    house.prompt(session, 'hello', 'p'),
    sessions.execute({ type: 'rename', session, title: 'x' }),
    sessions.execute({ type: 'continue', session }),
    sessions.execute({ type: 'delete', session }),
    sessions.execute({ type: 'branch', session, message: 'p' }),
  ]
  for (const each of refused) await expect(each).rejects.toMatchObject(unknown)
  const asked = { deleted: true }
  expect(await sessions.get(session, asked)).toMatchObject({ deleted: true, seq: seq + 1 })
  expect((await sessions.messages(session, { thread: null, limit: 9 }, asked)).messages).toHaveLength(2)
  expect((await sessions.snapshot(session, { limit: 9, ...asked })).messages).toHaveLength(2)
  expect((await sessions.approvals(session, asked)).approvals).toEqual([])
  expect((await sessions.list({ limit: 9 })).sessions).toEqual([])
  expect((await sessions.list({ limit: 9, deleted: true })).sessions).toMatchObject([{ session }])
  expect(await house.journal.head(session)).toBe(seq + 1)

  expect(await sessions.execute({ type: 'undelete', session })).toEqual({ seq: seq + 2 })
  expect(await sessions.execute({ type: 'undelete', session })).toEqual({ seq: null })
  expect((await sessions.list({ limit: 9 })).sessions).toMatchObject([{ session, deleted: false }])
  await house.prompt(session, 'more')
  await sessions.whenIdle(session)
  expect((await sessions.messages(session, { thread: null, limit: 9 })).messages).toHaveLength(4)
})

it.each([true, false])(
  '[X5] a running interaction is interrupted when its session is deleted (the agent stops when asked: %s), and nothing runs after it',
  async listens => {
    const puppet = createPuppet({
      act: ({ say, interrupted }) => {
        say({ t: 'begin' })
        if (listens) interrupted.addEventListener('abort', () => say({ t: 'end', reason: 'interrupted' }))
      },
    })
    const house = await openHouse([puppet], { limits: { interruptMs: 30, endMs: 100 } })
    await using sessions = house.sessions
    const session = await house.create()
    const { interaction } = await house.prompt(session, 'long')
    await house.prompt(session, 'waits', 'next')
    await expect.poll(async () => (await house.events(session, 'agent-spoke')).length).toBe(1)
    await sessions.execute({ type: 'delete', session })
    await sessions.whenIdle(session)
    await expect.poll(async () => (await house.events(session, 'agent-exited')).length).toBe(1)
    expect(await house.events(session, 'interrupt-requested')).toHaveLength(1)
    expect(await house.events(session, 'interaction-ended')).toMatchObject([
      { interaction, outcome: 'interrupted' },
    ])
    expect(puppet.counts).toMatchObject({ now: 0, ever: 1 })
    await sessions.execute({ type: 'undelete', session })
    expect((await sessions.get(session)).queue).toMatchObject([{ prompt: 'next', held: true }])
  },
)

it('[X5] queued prompts of an undeleted session wait for a person, even when it is undeleted at once', async () => {
  const puppet = createPuppet({
    act: ({ say, interrupted }) => {
      say({ t: 'begin' })
      interrupted.addEventListener('abort', () => say({ t: 'end', reason: 'interrupted' }))
    },
  })
  const house = await openHouse([puppet])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'long', 'first')
  await house.prompt(session, 'waits', 'next')
  await expect.poll(async () => (await house.events(session, 'agent-spoke')).length).toBe(1)
  const idle = sessions.whenIdle(session)
  await sessions.execute({ type: 'delete', session })
  await sessions.execute({ type: 'undelete', session })
  await idle
  expect((await sessions.get(session)).queue).toMatchObject([{ prompt: 'next', held: true }])
  expect(puppet.prompts).toEqual(['first'])
})

it('[X5] a deleted session stays deleted after a restart, and its interaction is closed', async () => {
  const house = await openHouse([createPuppet({ act: ({ say }) => say({ t: 'begin' }) })])
  const session = await house.create()
  await house.prompt(session, 'long')
  await house.sessions.execute({ type: 'delete', session })
  await house.sessions[Symbol.asyncDispose]()
  const later = await house.reopen()
  await using sessions = later.sessions
  await expect(sessions.get(session)).rejects.toMatchObject(unknown)
  expect(await sessions.get(session, { deleted: true })).toMatchObject({ running: null, status: 'idle' })
})

it.each(['disk-full', 'folder-read-only', 'journal-closed', 'hangs'] as const)(
  '[S12] deleting a session ends its agent when the journal fails with "%s", and the error says what was done',
  async failure => {
    const { disk, wrap } = createFailingJournal()
    const puppet = createPuppet({ act: ({ say }) => say({ t: 'begin' }) })
    const limits = { retryMs: 2, maxRetryMs: 8, stopMs: 20, interruptMs: failure === 'hangs' ? 20 : 60_000 }
    const house = await openHouse([puppet], { wrap, limits })
    await using sessions = house.sessions
    const session = await house.create()
    await house.prompt(session, 'long')
    await expect.poll(async () => (await house.events(session, 'agent-spoke')).length).toBe(1)
    disk.failure = failure
    await expect(sessions.execute({ type: 'delete', session })).rejects.toMatchObject({
      code: failure === 'hangs' ? 'save-failed' : failure,
      message: expect.stringMatching(/^The agent was stopped, but the session was not deleted\. /),
    })
    await expect.poll(() => puppet.counts.now).toBe(0)
    expect(await house.events(session, 'session-deleted')).toEqual([])
  },
)
