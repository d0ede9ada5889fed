import { expect, it } from 'vitest'
import type { Journal } from '../../journal/journal.ts'
import { createFailingJournal, type Failure } from '../failing-journal.fixture.ts'
import { openHouse } from '../house.fixture.ts'
import { createPuppet, type PuppetOptions } from '../puppet.fixture.ts'

async function run(
  options: PuppetOptions,
  limits = {},
  wrap: (journal: Journal) => Journal = journal => journal,
) {
  const puppet = createPuppet(options)
  const house = await openHouse([puppet], { wrap, limits: { interruptMs: 30, endMs: 100, ...limits } })
  const session = await house.create()
  await house.prompt(session, 'go')
  await expect.poll(async () => (await house.events(session, 'agent-spoke')).length).toBeGreaterThan(0)
  return { house, session, puppet }
}

it('[T5] an agent that stops when asked keeps running for the next prompt', async () => {
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
  ['does not stop', {}],
  ['cannot be asked', { canInterrupt: false }],
  ['does not exit when it is asked to', { clings: true }],
])('[T5] an agent that %s is ended, and its output is kept', async (_, options) => {
  const act: PuppetOptions['act'] = ({ say }) => {
    say({ t: 'begin' })
    say({ t: 'say', text: 'kept' })
  }
  const { house, session } = await run({ act, ...options })
  await using sessions = house.sessions
  await sessions.execute({ type: 'interrupt', session })
  await sessions.whenIdle(session)
  const [ended] = await house.events(session, 'interaction-ended')
  expect(ended).toMatchObject({ outcome: 'interrupted', reason: 'You stopped this.' })
  expect(ended?.chunks.at(-1)?.chunk).toMatchObject({ type: 'finish', finishReason: 'other' })
  expect(await house.events(session, 'agent-exited')).toHaveLength(1)
  expect((await house.events(session, 'agent-spoke')).map(({ raw }) => raw)).toContain(
    '{"t":"say","text":"kept"}',
  )
})

it('[T5] an interaction that still waits for a slot is stopped without an agent', async () => {
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
  '[T5] a prompt that is interrupted at once is stopped, with %i agents running',
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
    await sessions.whenIdle(session, AbortSignal.timeout(30_000))
    expect(
      (await house.entries(session)).findLast(({ event }) => event.type === 'interaction-ended')?.event,
    ).toMatchObject({ interaction, outcome: 'interrupted' })
  },
)

it('[T5] an agent that never connects can be stopped', async () => {
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

it('[T5] when nothing runs, an interrupt has no effect and is not an error', async () => {
  const house = await openHouse([createPuppet()])
  await using sessions = house.sessions
  const session = await house.create()
  expect(await sessions.execute({ type: 'interrupt', session })).toEqual({ interaction: null, saved: true })
  expect(await house.entries(session)).toHaveLength(1)
})

/** A session whose agent has started, on a journal that then stops saving. */
async function runUnsaved(failure: Failure, limits = {}) {
  const { disk, wrap } = createFailingJournal()
  const act: PuppetOptions['act'] = ({ say }) => say({ t: 'begin' })
  const { house, session, puppet } = await run({ act }, limits, wrap)
  disk.failure = failure
  return { house, session, puppet, disk }
}

/** Limits so long that a test which waited for them would fail. */
const patient = { interruptMs: 60_000, endMs: 60_000 }

it.each(['disk-full', 'save-failed', 'folder-read-only', 'journal-closed'] as const)(
  '[S12] an interrupt ends the agent at once when the journal fails with "%s"',
  async failure => {
    const { house, session, puppet, disk } = await runUnsaved(failure, patient)
    await using sessions = house.sessions
    const reply = await sessions.execute({ type: 'interrupt', session })
    expect(reply).toEqual({ interaction: expect.any(String), saved: false })
    await expect.poll(() => puppet.counts.now).toBe(0)
    expect(await house.events(session, 'interaction-ended')).toEqual([])

    disk.failure = null
    await expect
      .poll(async () => {
        await sessions.get(session)
        return house.events(session, 'interaction-ended')
      })
      .toMatchObject([{ interaction: reply.interaction, outcome: 'interrupted' }])
    expect((await sessions.get(session)).status).toBe('idle')
  },
)

it('[S12] the request to stop is saved as soon as saving works, unless the interaction has ended by then', async () => {
  const { house, session, disk } = await runUnsaved('disk-full', { retryMs: 2, maxRetryMs: 8, ...patient })
  await using sessions = house.sessions
  const { interaction } = await sessions.execute({ type: 'interrupt', session })
  disk.failure = null
  await sessions.whenIdle(session)
  const types = (await house.entries(session)).map(({ event }) => event.type)
  const requested = types.indexOf('interrupt-requested')
  expect(requested === -1 || requested < types.indexOf('interaction-ended')).toBe(true)
  expect(await house.events(session, 'interaction-ended')).toMatchObject([
    { interaction, reason: 'You stopped this.' },
  ])
})

it('[S12] an agent is ended when the journal never responds', async () => {
  const { house, session, puppet } = await runUnsaved('hangs', { stopMs: 20 })
  await using sessions = house.sessions
  expect(await sessions.execute({ type: 'interrupt', session })).toMatchObject({ saved: false })
  await expect.poll(() => puppet.counts.now).toBe(0)
})

it.each(['disk-full', 'hangs'] as const)(
  '[S12] the server stops its agents when the journal fails with "%s"',
  async failure => {
    const { house, puppet } = await runUnsaved(failure, { stopMs: 20 })
    const disposed = house.sessions[Symbol.asyncDispose]()
    await expect.poll(() => puppet.counts.now).toBe(0)
    await disposed
  },
)
