import { expect, it } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse } from '../house.fixture.ts'
import { createPuppet, echo, type Act } from '../puppet.fixture.ts'

/** Does not answer until the test opens the gate. */
function createGate(): { readonly act: Act; open(): void } {
  const gate = Promise.withResolvers<void>()
  return {
    async act(stage) {
      await gate.promise
      await echo(stage)
    },
    open: gate.resolve,
  }
}

it('[J1] a prompt is saved first, then run to its end, with every native line next to its chunks', async () => {
  const house = await openHouse([createPuppet()])
  await using sessions = house.sessions
  const session = await house.create()
  const reply = await house.prompt(session, 'hello you')
  expect(reply).toMatchObject({ queued: false, repeated: false, seq: 2 })
  await sessions.whenIdle(session)
  const entries = await house.entries(session)
  expect(entries.map(({ event }) => event.type)).toEqual([
    'session-created',
    'interaction-started',
    'agent-connected',
    'host-spoke',
    'agent-spoke',
    'agent-spoke',
    'agent-spoke',
    'agent-spoke',
    'interaction-ended',
  ])
  const said = await house.events(session, 'agent-spoke')
  expect(said.map(({ raw }) => raw)).toContain('{"t":"say","text":"hello"}')
  expect(said.every(({ interaction }) => interaction === reply.interaction)).toBe(true)
  expect(await sessions.get(session)).toMatchObject({ status: 'idle', running: null, title: 'hello you' })
})

it('[T6] the same prompt id with another text is refused with a reason, and nothing is saved', async () => {
  const house = await openHouse([createPuppet()])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'once', 'p1')
  await sessions.whenIdle(session)
  const before = await house.entries(session)
  await expect(house.prompt(session, 'twice', 'p1')).rejects.toMatchObject({
    code: 'prompt-exists',
    message: 'Prompt ID p1 belongs to another prompt in this session. Send this one with a new ID.',
  })
  expect(await house.prompt(session, 'once', 'p1')).toMatchObject({ repeated: true, seq: 2 })
  expect(await house.entries(session)).toEqual(before)
})

it('[J1] a repeated prompt gets the first reply and does not run, also after a restart', async () => {
  const puppet = createPuppet()
  const house = await openHouse([puppet])
  const session = await house.create()
  const first = await house.prompt(session, 'once', 'p1')
  const again = await house.prompt(session, 'once', 'p1')
  await house.sessions.whenIdle(session)
  await house.sessions[Symbol.asyncDispose]()
  const later = await house.reopen()
  await using _ = later.sessions
  const afterwards = await later.prompt(session, 'once', 'p1')
  expect([again, afterwards]).toEqual([
    { ...first, repeated: true },
    { ...first, repeated: true },
  ])
  expect(puppet.prompts).toEqual(['p1'])
})

it('[J1] a repeated prompt gets the first reply even when a new one would be refused', async () => {
  const house = await openHouse([createPuppet()])
  const session = await house.create()
  const first = await house.prompt(session, 'once', 'p1')
  await house.sessions.whenIdle(session)
  await house.sessions.execute({ type: 'archive', session })
  expect(await house.prompt(session, 'once', 'p1')).toEqual({ ...first, repeated: true })
  await house.sessions[Symbol.asyncDispose]()
  const later = await house.reopen({ agents: [] })
  await using _ = later.sessions
  expect(await later.prompt(session, 'once', 'p1')).toEqual({ ...first, repeated: true })
})

it('[J1] prompts queue while the agent is busy, keep their order, run once, and can be withdrawn', async () => {
  const gate = createGate()
  const puppet = createPuppet({ act: gate.act })
  const house = await openHouse([puppet])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'first', 'a')
  const queued = await house.prompt(session, 'second', 'b')
  await house.prompt(session, 'third', 'c')
  await house.prompt(session, 'fourth', 'd')
  expect(queued).toMatchObject({ queued: true, interaction: null })
  expect(await house.prompt(session, 'second', 'b')).toEqual({ ...queued, repeated: true })
  await sessions.execute({ type: 'withdraw', session, prompt: 'c' })
  expect((await sessions.get(session)).queue.map(({ prompt }) => prompt)).toEqual(['b', 'd'])
  gate.open()
  await sessions.whenIdle(session)
  expect(puppet.prompts).toEqual(['a', 'b', 'd'])
  expect(puppet.counts.ever).toBe(1)
  const started = await house.events(session, 'interaction-started')
  expect(started.map(({ prompt, parts }) => [prompt, parts])).toEqual([
    ['a', [{ type: 'text', text: 'first' }]],
    ['b', [{ type: 'text', text: 'second' }]],
    ['d', [{ type: 'text', text: 'fourth' }]],
  ])
  await expect(sessions.execute({ type: 'withdraw', session, prompt: 'a' })).rejects.toMatchObject({
    code: 'unknown-prompt',
  })
})

it('[J1] a prompt that comes between two interactions waits behind the earlier ones', async () => {
  const puppet = createPuppet()
  const late: Promise<unknown>[] = []
  const base = await openHouse([puppet])
  const house = await base.reopen({
    checkpoint(step) {
      if (step === 'after-ended' && late.length === 0) late.push(house.prompt(session, 'third', 'c'))
    },
  })
  await using sessions = house.sessions
  const session = await house.create()
  await Promise.all([house.prompt(session, 'first', 'a'), house.prompt(session, 'second', 'b')])
  await expect.poll(() => puppet.prompts.length).toBe(3)
  await sessions.whenIdle(session)
  await Promise.all(late)
  expect(puppet.prompts).toEqual(['a', 'b', 'c'])
})

it('[R1] queued prompts survive a restart and wait for a person', async () => {
  const puppet = createPuppet({ act: ({ say }) => say({ t: 'begin' }) })
  const house = await openHouse([puppet])
  const session = await house.create()
  await house.prompt(session, 'never ends', 'a')
  await house.prompt(session, 'waits', 'b')
  await house.prompt(session, 'waits too', 'c')
  await house.sessions[Symbol.asyncDispose]()

  const next = createPuppet()
  const later = await house.reopen({ agents: [next] })
  await using sessions = later.sessions
  await sessions.whenIdle(session)
  expect((await sessions.get(session)).queue.map(({ prompt, held }) => [prompt, held])).toEqual([
    ['b', true],
    ['c', true],
  ])
  await later.prompt(session, 'now', 'd')
  await sessions.whenIdle(session)
  expect(next.prompts).toEqual(['d'])
  expect(await sessions.execute({ type: 'continue', session })).toEqual({ prompts: 2 })
  await sessions.whenIdle(session)
  expect(next.prompts).toEqual(['d', 'b', 'c'])
  const words = (await later.events(session, 'interaction-started')).flatMap(({ parts }) => parts)
  expect(words.map(part => part.type === 'text' && part.text)).toEqual([
    'never ends',
    'now',
    'waits',
    'waits too',
  ])
})

it('[R2] an invalid prompt gets an error with a code and changes nothing', async () => {
  const house = await openHouse([createPuppet()])
  await using sessions = house.sessions
  const session = await house.create('mine')
  await sessions.execute({ type: 'archive', session })
  await expect(house.prompt(session, 'hello')).rejects.toMatchObject({ code: 'session-archived' })
  await expect(house.prompt('nobody' as SessionId, 'hello')).rejects.toMatchObject({
    code: 'unknown-session',
  })
  await expect(house.create('mine')).rejects.toMatchObject({ code: 'session-exists' })
  const unknown = sessions.execute({ type: 'create', agent: 'nobody', cwd: '/' })
  await expect(unknown).rejects.toMatchObject({ code: 'unknown-agent' })
  expect((await house.entries(session)).length).toBe(2)
  expect(await sessions.execute({ type: 'restore', session })).toEqual({ seq: 3 })
  expect(await sessions.execute({ type: 'restore', session })).toEqual({ seq: null })
  await house.prompt(session, 'hello')
  await sessions.whenIdle(session)
  expect((await sessions.get(session)).status).toBe('idle')
})
