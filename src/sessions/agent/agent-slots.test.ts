import { afterEach, expect, it, vi } from 'vitest'
import type { Chunk, Thread } from '../../protocol/chunk.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse } from '../house.fixture.ts'
import { createMortal } from '../mortal.fixture.ts'
import { createPuppet, echo, type Act, type Stage } from '../puppet.fixture.ts'
import { createAgentSlots } from './agent-slots.ts'

const { signal } = new AbortController()
afterEach(() => void vi.useRealTimers())

it('[A14] slots are given first come, first served, and a wait can be cancelled', async () => {
  const places = createAgentSlots({ places: 2, idleMs: 1000 })
  const order: string[] = []
  const take = async (name: string, giveUp = signal) => {
    const place = await places.take(giveUp)
    order.push(name)
    return place
  }
  const [a, b] = await Promise.all([take('a'), take('b')])
  const impatient = new AbortController()
  const [c, d, e] = [take('c'), take('d', impatient.signal), take('e')]
  impatient.abort(new Error('enough'))
  await expect(d).rejects.toThrow('enough')
  expect(order).toEqual(['a', 'b'])
  a[Symbol.dispose]()
  a[Symbol.dispose]()
  await c
  expect(order).toEqual(['a', 'b', 'c'])
  b[Symbol.dispose]()
  await e
  expect(order).toEqual(['a', 'b', 'c', 'e'])
})

it('[A14] an idle agent is asked to leave at once when others wait, else after the idle time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const places = createAgentSlots({ places: 2, idleMs: 20 })
  const asked: string[] = []
  const [a, b] = [await places.take(signal), await places.take(signal)]
  a.linger(() => asked.push('a'))
  b.rest(() => {
    asked.push('b')
    b[Symbol.dispose]()
  })
  const c = await places.take(signal)
  expect(asked).toEqual(['b'])
  c.rest(() => asked.push('c'))
  c.work()
  vi.advanceTimersByTime(40)
  expect(asked).toEqual(['b', 'a'])
})

it('[A14] no more agents run than there are slots, and every prompt runs', async () => {
  const allTaken = Promise.withResolvers<void>()
  const puppet = createPuppet({
    async act(stage) {
      if (puppet.counts.now === 3) allTaken.resolve()
      await allTaken.promise
      await echo(stage)
    },
  })
  const house = await openHouse([puppet], { limits: { places: 3 } })
  await using sessions = house.sessions
  const ids = await Promise.all(Array.from({ length: 20 }, () => house.create()))
  for (const id of ids) await house.prompt(id, 'hello')
  for (const id of ids) await house.prompt(id, 'again')
  await Promise.all(ids.map(id => sessions.whenIdle(id)))
  expect(puppet.counts.most).toBe(3)
  expect(puppet.prompts).toHaveLength(40)
  for (const id of ids)
    expect((await house.events(id, 'interaction-ended')).map(({ outcome }) => outcome)).toEqual([
      'finished',
      'finished',
    ])
})

it('[A14] a session with many prompts does not block the others', async () => {
  const order: string[] = []
  const allQueued = Promise.withResolvers<void>()
  const act: Act = async stage => {
    order.push(stage.text)
    await allQueued.promise
    await echo(stage)
  }
  const house = await openHouse([createPuppet({ act })], { limits: { places: 1, placeMs: 1 } })
  await using sessions = house.sessions
  const greedy = await house.create()
  const modest = await house.create()
  await Promise.all(['g1', 'g2', 'g3'].map(each => house.prompt(greedy, each)))
  await house.prompt(modest, 'm1')
  await expect.poll(async () => (await sessions.get(modest)).awaitsPlace).toBe(1)
  allQueued.resolve()
  await Promise.all([greedy, modest].map(id => sessions.whenIdle(id)))
  expect(order).toEqual(['g1', 'm1', 'g2', 'g3'])
})

it('[A14] an idle agent is closed, and the next prompt works as before', async () => {
  const puppet = createPuppet()
  const house = await openHouse([puppet], { limits: { idleMs: 10 } })
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'one')
  await sessions.whenIdle(session)
  await expect.poll(() => puppet.counts.now).toBe(0)
  await house.prompt(session, 'two')
  await sessions.whenIdle(session)
  expect(puppet.counts.ever).toBe(2)
  expect(await house.events(session, 'agent-exited')).toMatchObject([
    { reason: 'Closed because it was idle.' },
  ])
  expect((await sessions.get(session)).status).toBe('idle')
})

it('[A14] log output does not keep an idle agent running', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  let log: Stage['log'] = () => {}
  const puppet = createPuppet({
    async act(stage) {
      log = stage.log
      await echo(stage)
    },
  })
  const house = await openHouse([puppet], { limits: { idleMs: 40 } })
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'go')
  await sessions.whenIdle(session)
  for (let passed = 0; passed < 40; passed += 10) {
    expect(puppet.counts.now).toBe(1)
    log('still here')
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(puppet.counts.now).toBe(0)
  expect((await house.events(session, 'agent-logged')).length).toBeGreaterThan(1)
})

it('[A14] an agent whose subagent keeps writing in the background is not closed as idle', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  let say: Stage['say'] = () => {}
  const sayIn = (thread: Thread, ...chunks: readonly Chunk[]) =>
    say({ t: 'chunks', chunks: chunks.map(chunk => ({ thread, chunk })) })
  const call = { toolCallId: 'task', toolName: 'Task', input: null, dynamic: true, providerExecuted: true }
  const puppet = createPuppet({
    act(stage) {
      say = stage.say
      sayIn(null, { type: 'start', messageId: 'm' }, { type: 'tool-input-available', ...call })
      sayIn('task', { type: 'start', messageId: 'sub' }, { type: 'text-start', id: 't' })
      sayIn(null, { type: 'finish', finishReason: 'stop' })
    },
  })
  const house = await openHouse([puppet], { limits: { idleMs: 40 } })
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'go')
  await sessions.whenIdle(session)
  for (let passed = 0; passed < 120; passed += 30) {
    sayIn('task', { type: 'text-delta', id: 't', delta: 'more ' })
    await vi.advanceTimersByTimeAsync(30)
    expect(puppet.counts.now).toBe(1)
  }
  await vi.advanceTimersByTimeAsync(40)
  expect(puppet.counts.now).toBe(0)
})

it('[A14] the last output of a leaving agent is not part of the interaction that waits for its successor', async () => {
  const [leaving, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const puppet = createPuppet({
    async farewell({ say }) {
      leaving.resolve()
      await asked.promise
      say({ t: 'quiet' })
      for (const line of [{ t: 'begin' }, { t: 'say', text: 'my last words' }, { t: 'end' }] as const)
        say(line)
    },
  })
  const house = await openHouse([puppet], { limits: { idleMs: 5 } })
  await using sessions = house.sessions
  const session = await house.create()
  const one = await house.prompt(session, 'one')
  await sessions.whenIdle(session)
  await leaving.promise
  const two = await house.prompt(session, 'two')
  asked.resolve()
  await sessions.whenIdle(session)
  const lines = await house.events(session, 'agent-spoke')
  const owners = lines.map(({ raw, interaction }) => [raw, interaction])
  expect(owners).toContainEqual(['{"t":"quiet"}', null])
  expect(owners).toContainEqual(['{"t":"say","text":"my last words"}', one.interaction])
  expect(owners).toContainEqual(['{"t":"say","text":"two"}', two.interaction])
  expect((await house.events(session, 'interaction-ended')).map(({ outcome }) => outcome)).toEqual([
    'finished',
    'finished',
  ])
})

it('[A14] a shutdown ends every agent in time, and closes running and waiting interactions', async () => {
  const puppet = createPuppet({ act: ({ say }) => say({ t: 'begin' }) })
  const house = await openHouse([puppet], { limits: { places: 2 } })
  const ids: SessionId[] = []
  for (let each = 0; each < 4; each += 1) {
    const id = await house.create()
    ids.push(id)
    await house.prompt(id, 'never ends')
  }
  await expect.poll(() => puppet.counts.now).toBe(2)
  // With fake timers: no deadline is needed.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  await house.sessions[Symbol.asyncDispose]()
  expect(puppet.counts.now).toBe(0)
  for (const id of ids)
    expect(await house.events(id, 'interaction-ended')).toMatchObject([
      { outcome: 'interrupted', reason: 'Stopped because the server shut down.' },
    ])
  await expect(house.create()).rejects.toMatchObject({ code: 'journal-closed' })
})

it('[A14] an interaction that waited for a slot when the server died ends with a reason that says so', async () => {
  const death = { dead: false }
  const hang = createPuppet({ act: () => new Promise(() => {}) })
  const base = await openHouse([hang], { limits: { places: 1, placeMs: 5, stopMs: 20, endMs: 20 } })
  const house = await base.reopen({
    journal: createMortal(base.journal, death),
    catalogue: createMortal(base.options.catalogue, death),
  })
  const [busy, patient] = [await house.create(), await house.create()]
  await house.prompt(busy, 'long')
  await house.prompt(patient, 'hello')
  await expect.poll(async () => (await house.sessions.get(patient)).awaitsPlace).toBe(1)
  death.dead = true
  const later = await base.reopen({ recent: [busy, patient] })
  await using _ = later.sessions
  const reasons = await Promise.all(
    [busy, patient].map(async each => (await later.events(each, 'interaction-ended')).map(end => end.reason)),
  )
  expect(reasons).toEqual([
    ['The server stopped while this was running.'],
    ['The server stopped before this could start. Send it again.'],
  ])
})

it('[A14] a session shows that it waits for a slot, until it gets one or is stopped', async () => {
  const free = Promise.withResolvers<void>()
  const puppet = createPuppet({
    async act(stage) {
      if (stage.text === 'long') await free.promise
      await echo(stage)
    },
  })
  const house = await openHouse([puppet], { limits: { places: 1, placeMs: 5 } })
  await using sessions = house.sessions
  const [busy, patient, other] = [await house.create(), await house.create(), await house.create()]
  const awaits = async (session: SessionId) => (await sessions.get(session)).awaitsPlace
  await house.prompt(busy, 'long')
  await house.prompt(patient, 'hello')
  await house.prompt(other, 'hello')
  await expect.poll(() => awaits(patient)).toBe(1)
  await expect.poll(() => awaits(other)).toBe(1)
  expect(await awaits(busy)).toBeNull()
  await sessions.execute({ type: 'interrupt', session: other })
  await sessions.whenIdle(other)
  expect(await awaits(other)).toBeNull()
  free.resolve()
  await sessions.whenIdle(patient)
  expect(await awaits(patient)).toBeNull()
  const waits = await house.events(patient, 'place-awaited')
  expect(waits.map(({ places }) => places)).toEqual([1])
  expect(await house.events(busy, 'place-awaited')).toEqual([])
})
