import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createFailingJournal } from '../failing-journal.fixture.ts'
import { openHouse } from '../house.fixture.ts'
import { createPuppet, type Act } from '../puppet.fixture.ts'
import { createInTurn } from './session-writer.ts'

it('[R1] a full disk loses nothing: commands fail at once, output waits, and the session shows the trouble', async () => {
  const { disk, wrap } = createFailingJournal()
  const goOn = Promise.withResolvers<void>()
  const act: Act = async ({ say }) => {
    say({ t: 'begin' })
    await goOn.promise
    say({ t: 'say', text: 'said while the disk was full' })
    say({ t: 'end' })
  }
  const house = await openHouse([createPuppet({ act })], { wrap, limits: { retryMs: 2, maxRetryMs: 8 } })
  await using sessions = house.sessions
  const session = await house.create()
  const other = await house.create()
  await house.prompt(session, 'go')
  await expect.poll(async () => (await house.events(session, 'agent-spoke')).length).toBe(1)

  disk.failure = 'disk-full'
  await expect(house.prompt(other, 'hello')).rejects.toMatchObject({ code: 'disk-full' })
  expect((await sessions.get(other)).trouble).toBeNull()
  goOn.resolve()
  await expect.poll(() => sessions.troubles()).toMatchObject([{ session, code: 'disk-full' }])
  expect((await sessions.get(session)).trouble?.code).toBe('disk-full')
  await expect(house.prompt(session, 'hello')).rejects.toMatchObject({ code: 'disk-full' })
  await expect.poll(() => disk.refused).toBeGreaterThan(3)

  disk.failure = null
  await sessions.whenIdle(session)
  expect(sessions.troubles()).toEqual([])
  expect((await house.events(session, 'agent-spoke')).map(({ raw }) => raw).slice(1)).toEqual([
    '{"t":"say","text":"said while the disk was full"}',
    '{"t":"end"}',
  ])
  const [delayed] = await house.events(session, 'saving-delayed')
  expect(delayed?.code).toBe('disk-full')
  expect(delayed?.milliseconds).toBeGreaterThan(0)
  await house.prompt(session, 'hello')
})

it('[R1] [R2] an agent whose output cannot be saved for long is ended, and its end is saved when there is room', async () => {
  const { disk, wrap } = createFailingJournal()
  const goOn = Promise.withResolvers<void>()
  const act: Act = async ({ say }) => {
    say({ t: 'begin' })
    await goOn.promise
    say({ t: 'say', text: 'said while the disk was full' })
  }
  const puppet = createPuppet({ act })
  const limits = { retryMs: 2, maxRetryMs: 10_000, saveMs: 300, endMs: 50 }
  const house = await openHouse([puppet], { wrap, limits })
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'go')
  await expect.poll(async () => (await house.events(session, 'agent-spoke')).length).toBe(1)

  disk.failure = 'disk-full'
  goOn.resolve()
  await expect.poll(() => sessions.troubles()).toMatchObject([{ session, code: 'disk-full' }])
  expect(puppet.counts.now).toBe(1)
  await expect.poll(() => puppet.counts.now).toBe(0)
  expect(await house.events(session, 'interaction-ended')).toEqual([])
  expect((await sessions.get(session)).trouble?.code).toBe('disk-full')

  disk.failure = null
  await sessions.whenIdle(session)
  expect((await house.events(session, 'agent-spoke')).at(-1)?.raw).toContain('said while the disk was full')
  const [ended] = await house.events(session, 'interaction-ended')
  expect([ended?.outcome, ended?.reason]).toEqual([
    'failed',
    'Nothing can be saved here. Free some space. The agent was stopped because saving failed for 0.3 seconds.',
  ])
  expect(sessions.troubles()).toEqual([])
  await house.prompt(session, 'hello')
})

it('[R1] a shutdown while the disk is full does not hang', async () => {
  const { disk, wrap } = createFailingJournal()
  const house = await openHouse([createPuppet({ act: ({ say }) => say({ t: 'begin' }) })], {
    wrap,
    limits: { stopMs: 50, endMs: 20 },
  })
  const session = await house.create()
  await house.prompt(session, 'go')
  await expect.poll(async () => (await house.events(session, 'agent-spoke')).length).toBe(1)
  disk.failure = 'disk-full'
  await house.sessions[Symbol.asyncDispose]()
  disk.failure = null
  const later = await house.reopen()
  await using sessions = later.sessions
  expect((await sessions.get(session)).status).toBe('idle')
  expect(await house.events(session, 'interaction-ended')).toMatchObject([{ outcome: 'interrupted' }])
})

it('[R1] [T7] an exit that could not be saved is recovered when saving works again, also with a pending question', async () => {
  const { disk, wrap } = createFailingJournal()
  const exit = Promise.withResolvers<() => void>()
  const act: Act = async stage => {
    exit.resolve(() => stage.exit())
    stage.say({ t: 'begin' })
    stage.say({ t: 'ask', id: 'may-i' })
    await stage.answer('may-i')
  }
  const house = await openHouse([createPuppet({ act })], { wrap, limits: { retryMs: 5, maxRetryMs: 20 } })
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'go')
  await expect.poll(async () => (await sessions.get(session)).status).toBe('waiting')
  disk.failure = 'folder-read-only'
  ;(await exit.promise)()
  await expect.poll(() => disk.refused).toBeGreaterThan(0)
  disk.failure = null
  await expect.poll(async () => (await sessions.get(session)).status).toBe('idle')
})

it('[J2] tasks run one at a time in order, and one that fails does not stop the next', async () => {
  const inTurn = createInTurn()
  const order: string[] = []
  const task = (name: string, rounds: number) => async () => {
    order.push(`${name} starts`)
    for (let round = 0; round < rounds; round += 1) await setImmediate()
    order.push(`${name} ends`)
    if (name === 'b') throw new Error('b failed')
    return name
  }
  const results = await Promise.allSettled([inTurn(task('a', 9)), inTurn(task('b', 3)), inTurn(task('c', 0))])
  expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends'])
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
