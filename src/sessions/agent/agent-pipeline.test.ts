import { expect, it } from 'vitest'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { createPuppet, type Act, type Stage } from '../puppet.fixture.ts'

const main = (...chunks: readonly ThreadChunk['chunk'][]): readonly ThreadChunk[] =>
  chunks.map(chunk => ({ thread: null, chunk }))

/** Runs one prompt with an agent and waits for its end. */
async function play(act: Act, more: Parameters<typeof openHouse>[1] = {}) {
  const house = await openHouse([createPuppet({ act })], more)
  const session = await house.create()
  const { interaction } = await house.prompt(session, 'go')
  await house.sessions.whenIdle(session)
  return { house, session, interaction }
}

const lastEnded = async (house: House, session: SessionId) =>
  (await house.events(session, 'interaction-ended')).at(-1)

it('[A14] when an agent dies, its interaction is closed, and its partial answer and its exit are saved', async () => {
  const { house, session } = await play(({ say, text, exit }) => {
    say({ t: 'begin' })
    say({ t: 'say', text: 'half an' })
    say({ t: 'ask', id: text })
    exit({ code: 3 })
  })
  await using sessions = house.sessions
  expect(await lastEnded(house, session)).toMatchObject({
    outcome: 'failed',
    reason:
      'The agent ended with exit code 3 before it finished. Send another prompt to continue. Run "dragoman doctor" to check the agent.',
  })
  const closing = (await lastEnded(house, session))?.chunks.map(({ chunk }) => chunk.type)
  expect(closing).toContain('tool-output-error')
  expect(closing?.at(-1)).toBe('finish')
  expect(await house.events(session, 'agent-exited')).toMatchObject([{ code: 3, signal: null }])
  expect(await house.events(session, 'approval-lapsed')).toMatchObject([{ approval: 'go' }])
  expect((await sessions.get(session)).status).toBe('failed')
  // The next prompt gets a fresh agent.
  await house.prompt(session, 'again')
  await sessions.whenIdle(session)
  expect(await house.events(session, 'agent-connected')).toHaveLength(2)
})

it('[A14] an agent that cannot be connected fails only its interaction', async () => {
  const puppet = {
    ...createPuppet(),
    connect: async () => {
      throw new Error('spawn puppet ENOENT')
    },
  }
  const house = await openHouse([puppet])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'go')
  await sessions.whenIdle(session)
  const { outcome, reason } = (await lastEnded(house, session)) ?? {}
  expect([outcome, reason]).toEqual([
    'failed',
    expect.stringMatching(/^The agent ended before it finished: spawn puppet ENOENT\. Send another prompt/),
  ])
  expect(await house.events(session, 'agent-connected')).toEqual([])
  expect(sessions.troubles()).toEqual([])
})

it('[A14] the stderr of an agent is saved in bounded pieces', async () => {
  const { house, session } = await play(
    ({ say, log }) => {
      log('x'.repeat(25))
      say({ t: 'begin' })
      say({ t: 'end' })
    },
    { limits: { logBytes: 10 } },
  )
  await using _ = house.sessions
  const logs = async () => (await house.events(session, 'agent-logged')).map(({ text }) => text.length)
  await expect.poll(logs).toEqual([10, 10, 5])
})

it('[P7] the outcome comes from the finish chunk', async () => {
  const failed = await play(({ say }) => {
    say({ t: 'begin' })
    say({ t: 'end', reason: 'error', error: 'Overloaded.' })
  })
  await using one = failed.house.sessions
  expect(await lastEnded(failed.house, failed.session)).toMatchObject({
    outcome: 'failed',
    reason: 'Overloaded.',
    chunks: [],
  })
  const stopped = await play(({ say }) => {
    say({ t: 'begin' })
    say({ t: 'end', reason: 'interrupted' })
  })
  await using two = stopped.house.sessions
  expect(await lastEnded(stopped.house, stopped.session)).toMatchObject({ outcome: 'interrupted' })
  expect([one, two]).toHaveLength(2)
})

it('[P3] a late result belongs to the interaction whose message it opens again', async () => {
  let stage: Stage | undefined
  const { house, session, interaction } = await play(each => {
    stage = each
    each.say({ t: 'begin' })
    each.say({ t: 'end' })
  })
  await using sessions = house.sessions
  const [start] = (await house.events(session, 'agent-spoke')).flatMap(({ chunks }) => chunks)
  const messageId = start?.chunk.type === 'start' ? start.chunk.messageId : ''
  stage?.say({ t: 'chunks', chunks: main({ type: 'start', messageId }, { type: 'finish' }) })
  stage?.say({ t: 'quiet' })
  await expect
    .poll(async () => (await house.events(session, 'agent-spoke')).map(each => each.interaction))
    .toEqual([interaction, interaction, interaction, null])
  expect(await house.events(session, 'interaction-started')).toHaveLength(1)
  expect(await house.events(session, 'interaction-ended')).toHaveLength(1)
  expect((await sessions.get(session)).status).toBe('idle')
})

it('[X1] an answer without a prompt is a separate interaction', async () => {
  let stage: Stage | undefined
  const { house, session } = await play(each => {
    stage = each
    each.say({ t: 'begin' })
    each.say({ t: 'end' })
  })
  await using sessions = house.sessions
  stage?.say({ t: 'chunks', chunks: main({ type: 'start', messageId: 'by-itself' }) })
  await expect.poll(async () => (await sessions.get(session)).status).toBe('running')
  const { queued } = await house.prompt(session, 'meanwhile')
  expect(queued).toBe(true)
  stage?.say({ t: 'chunks', chunks: main({ type: 'finish' }) })
  await sessions.whenIdle(session)
  const started = await house.events(session, 'interaction-started')
  expect(started.map(({ trigger, prompt }) => [trigger, prompt === null])).toEqual([
    ['user', false],
    ['agent', true],
    ['user', false],
  ])
  expect(await house.events(session, 'interaction-ended')).toHaveLength(3)
})

it('[R2] a translator that throws loses only the chunks of that line', async () => {
  const { house, session } = await play(({ say }) => {
    say('this is not JSON')
    say({ t: 'begin' })
    say({ t: 'boom' })
    say('{"__proto__": {"t": "boom"}}')
    say({ t: 'end' })
  })
  await using _ = house.sessions
  const said = await house.events(session, 'agent-spoke')
  expect(said[0]).toMatchObject({ raw: 'this is not JSON', chunks: [] })
  expect(said[2]?.chunks).toMatchObject([
    { thread: null, chunk: { type: 'data-notice', data: { level: 'error', code: 'not-translated' } } },
  ])
  expect(await lastEnded(house, session)).toMatchObject({ outcome: 'finished' })
})

it('[J1] no line of ours is sent before it is saved, not even the handshake', async () => {
  const order: string[] = []
  const puppet = createPuppet({ handshake: ['one', 'two'] })
  const house = await openHouse([puppet], {
    checkpoint(step) {
      if (step === 'before-send') order.push(`saved, ${puppet.sent.length} sent`)
    },
  })
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'go')
  await sessions.whenIdle(session)
  expect(order).toEqual(['saved, 0 sent', 'saved, 1 sent', 'saved, 2 sent'])
  const events = (await house.entries(session)).map(({ event }) => event.type)
  expect(events.slice(2, 6)).toEqual(['agent-connected', 'host-spoke', 'host-spoke', 'host-spoke'])
  expect((await house.events(session, 'host-spoke')).map(({ raw }) => raw)).toEqual(puppet.sent)
})

it('[P9] the next connection resumes the own session of the agent, if it can', async () => {
  const resumed: (string | null)[] = []
  const act: Act = ({ say, options }) => {
    resumed.push(options.resume)
    say({ t: 'begin', agentSession: 'theirs' })
    say({ t: 'end' })
  }
  const house = await openHouse([createPuppet({ act })])
  const session = await house.create()
  await house.prompt(session, 'one')
  await house.sessions.whenIdle(session)
  await house.sessions[Symbol.asyncDispose]()
  const later = await house.reopen()
  await later.prompt(session, 'two')
  await later.sessions.whenIdle(session)
  await later.sessions[Symbol.asyncDispose]()
  const forgetful = await later.reopen({ agents: [createPuppet({ act, resume: false })] })
  await using sessions = forgetful.sessions
  await forgetful.prompt(session, 'three')
  await sessions.whenIdle(session)
  expect(resumed).toEqual([null, 'theirs', null])
  expect((await house.events(session, 'agent-connected')).map(each => each.resumed)).toEqual(resumed)
  const [found] = await house.options.catalogue.findByAgentSession('puppet', 'theirs')
  expect(found?.session).toBe(session)
})

it('[R4] an agent that floods is read only as fast as its output is saved', async () => {
  const { house, session } = await play(
    ({ say }) => {
      say({ t: 'begin' })
      for (let word = 0; word < 1000; word += 1) say({ t: 'say', text: `${word}` })
      say({ t: 'end' })
    },
    { limits: { batchItems: 16 } },
  )
  await using sessions = house.sessions
  expect(sessions.troubles()).toEqual([])
  const words = (await house.events(session, 'agent-spoke')).map(({ raw }) => raw).slice(1, -1)
  expect(words).toEqual(Array.from({ length: 1000 }, (_, word) => `{"t":"say","text":"${word}"}`))
})

/** Runs a prompt, restarts, runs another with the resumed agent, and has that open the first message again. */
async function reopenFirstMessage(more: (house: House) => Parameters<House['reopen']>[0] = () => ({})) {
  let stage: Stage | undefined
  const { house, session } = await play(each => {
    stage = each
    each.say({ t: 'begin', agentSession: 'theirs' })
    each.say({ t: 'end' })
  })
  const [start] = (await house.events(session, 'agent-spoke')).flatMap(({ chunks }) => chunks)
  const messageId = start?.chunk.type === 'start' ? start.chunk.messageId : ''
  await house.sessions[Symbol.asyncDispose]()
  const later = await house.reopen(more(house))
  await later.prompt(session, 'two')
  await later.sessions.whenIdle(session)
  const before = (await later.events(session, 'agent-spoke')).length
  stage?.say({ t: 'chunks', chunks: main({ type: 'start', messageId }, { type: 'finish' }) })
  await expect.poll(async () => (await later.events(session, 'agent-spoke')).length).toBe(before + 1)
  await later.sessions.whenIdle(session)
  return { later, session, spoke: (await later.events(session, 'agent-spoke')).at(-1) }
}

it('[P3] a late result of a resumed agent belongs to the interaction of the message, also after a restart', async () => {
  const { later, session, spoke } = await reopenFirstMessage()
  await using _ = later.sessions
  const started = await later.events(session, 'interaction-started')
  expect(started.map(({ trigger }) => trigger)).toEqual(['user', 'user'])
  expect(spoke?.interaction).toBe(started[0]?.interaction)
})

it('[R2] when the message cannot be looked up, the late result is saved in a separate interaction', async () => {
  const findMessage = () => Promise.reject(new Error('no such table'))
  const { later, session, spoke } = await reopenFirstMessage(({ options: { catalogue } }) => ({
    catalogue: { ...catalogue, findMessage },
  }))
  await using _ = later.sessions
  const started = await later.events(session, 'interaction-started')
  expect(started.map(({ trigger }) => trigger)).toEqual(['user', 'user', 'agent'])
  expect(spoke?.interaction).toBe(started[2]?.interaction)
})
