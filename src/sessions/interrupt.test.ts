import { expect, it } from 'vitest'
import { openHouse } from './house.fixture.ts'
import { createPuppet, type PuppetOptions } from './puppet.fixture.ts'

async function run(options: PuppetOptions, limits = {}) {
  const puppet = createPuppet(options)
  const house = await openHouse([puppet], { limits: { interruptMs: 30, endMs: 100, ...limits } })
  const session = await house.create()
  await house.prompt(session, 'go')
  await expect.poll(async () => (await house.events(session, 'agent-spoke')).length).toBeGreaterThan(0)
  return { house, session, puppet }
}

it('[T5] an agent that stops by itself lives on for the next prompt', async () => {
  const { house, session, puppet } = await run({
    act: ({ say, interrupted }) => {
      say({ t: 'begin' })
      interrupted.addEventListener('abort', () => say({ t: 'end', reason: 'interrupted' }))
    },
  })
  await using sessions = house.sessions
  const [{ interaction }] = await Promise.all([
    sessions.execute({ type: 'interrupt', session }),
    sessions.execute({ type: 'interrupt', session }),
  ])
  await sessions.whenIdle(session)
  expect(interaction).not.toBeNull()
  expect(await house.events(session, 'interrupt-requested')).toEqual([
    { type: 'interrupt-requested', interaction },
  ])
  expect(await house.events(session, 'interaction-ended')).toMatchObject([
    { outcome: 'interrupted', chunks: [] },
  ])
  await house.prompt(session, 'next')
  await expect.poll(() => puppet.prompts.length).toBe(2)
  expect(puppet.counts.ever).toBe(1)
  await sessions.execute({ type: 'interrupt', session })
  await sessions.whenIdle(session)
})

it.each([
  ['does not listen', {}],
  ['cannot be asked', { canInterrupt: false }],
  ['does not even go when it is told to', { clings: true }],
])('[T5] an agent that %s is ended, and what it said is kept', async (_, options) => {
  const act: PuppetOptions['act'] = ({ say }) => {
    say({ t: 'begin' })
    say({ t: 'say', text: 'kept' })
  }
  const { house, session } = await run({ act, ...options })
  await using sessions = house.sessions
  await sessions.execute({ type: 'interrupt', session })
  await sessions.whenIdle(session)
  const [ended] = await house.events(session, 'interaction-ended')
  expect(ended).toMatchObject({ outcome: 'interrupted', reason: 'Stopped because someone asked for it.' })
  expect(ended?.chunks.at(-1)?.chunk).toMatchObject({ type: 'finish', finishReason: 'other' })
  expect(await house.events(session, 'agent-exited')).toHaveLength(1)
  expect((await house.events(session, 'agent-spoke')).map(({ raw }) => raw)).toContain(
    '{"t":"say","text":"kept"}',
  )
})

it('[T5] an interaction that still waits for a place is stopped without an agent', async () => {
  const { house, session, puppet } = await run({ act: ({ say }) => say({ t: 'begin' }) }, { places: 1 })
  await using sessions = house.sessions
  const other = await house.create()
  await house.prompt(other, 'waits')
  expect((await sessions.get(other)).status).toBe('running')
  await sessions.execute({ type: 'interrupt', session: other })
  await sessions.whenIdle(other)
  expect(await house.events(other, 'interaction-ended')).toMatchObject([{ outcome: 'interrupted' }])
  expect(puppet.counts.ever).toBe(1)
  expect((await sessions.get(session)).status).toBe('running')
})

it.each([0, 1])(
  '[T5] a prompt that is interrupted at once is stopped, with %i agents there',
  async agents => {
    const act: PuppetOptions['act'] = ({ say, text, interrupted }) => {
      say({ t: 'begin' })
      if (text === 'before') say({ t: 'end' })
      else interrupted.addEventListener('abort', () => say({ t: 'end', reason: 'interrupted' }))
    }
    const house = await openHouse([createPuppet({ act })])
    await using sessions = house.sessions
    const session = await house.create()
    if (agents > 0) await house.prompt(session, 'before')
    await sessions.whenIdle(session)
    const [, { interaction }] = await Promise.all([
      house.prompt(session, 'go'),
      sessions.execute({ type: 'interrupt', session }),
    ])
    expect(interaction).not.toBeNull()
    await sessions.whenIdle(session, AbortSignal.timeout(1000))
    expect(
      (await house.entries(session)).findLast(({ event }) => event.type === 'interaction-ended')?.event,
    ).toMatchObject({ interaction, outcome: 'interrupted' })
  },
)

it('[T5] an agent that never comes up can be stopped', async () => {
  const puppet = {
    ...createPuppet(),
    connect: ({ signal }: { signal: AbortSignal }) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  }
  const house = await openHouse([puppet])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'go')
  await sessions.execute({ type: 'interrupt', session })
  await sessions.whenIdle(session)
  expect(await house.events(session, 'interaction-ended')).toMatchObject([{ outcome: 'interrupted' }])
})

it('[T5] when nothing runs an interrupt has no effect and is no error', async () => {
  const house = await openHouse([createPuppet()])
  await using sessions = house.sessions
  const session = await house.create()
  expect(await sessions.execute({ type: 'interrupt', session })).toEqual({ interaction: null })
  expect(await house.entries(session)).toHaveLength(1)
})
