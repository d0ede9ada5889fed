import { expect, it } from 'vitest'
import { foldEntries } from '../../projections/fold.ts'
import { createSubagents } from '../../projections/subagents.ts'
import type { Chunk, Thread, ThreadChunk } from '../../protocol/chunk.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { createMortal } from '../mortal.fixture.ts'
import { createPuppet, echo, type Act, type PuppetOptions, type Stage } from '../puppet.fixture.ts'

const on = (thread: Thread, ...chunks: readonly Chunk[]): readonly ThreadChunk[] =>
  chunks.map(chunk => ({ thread, chunk }))
const tool = { toolCallId: 'task', dynamic: true, providerExecuted: true }
const report = {
  agent: 'explore',
  description: 'look',
  toolCalls: 0,
  tokens: null,
  cost: null,
  lastWords: null,
}

const delegation: readonly ThreadChunk[] = [
  ...on(
    null,
    { type: 'start', messageId: 'm' },
    { type: 'tool-input-available', toolName: 'Task', input: null, ...tool },
    { type: 'data-subagent', id: 'task', data: { ...report, status: 'running' } },
  ),
  ...on('task', { type: 'start', messageId: 'sub' }, { type: 'text-start', id: 't' }),
  ...on(null, { type: 'finish', finishReason: 'stop' }),
]

/** Answers "go" and leaves a subagent at work in the background. */
const delegate: Act = async stage => {
  if (stage.text === 'go') stage.say({ t: 'chunks', chunks: delegation })
  else await echo(stage)
}

async function open(limits = {}, more: PuppetOptions = {}) {
  const house = await openHouse([createPuppet({ act: delegate, ...more })], { limits })
  const session = await house.create()
  await house.prompt(session, 'go')
  await house.sessions.whenIdle(session)
  return { house, session }
}

const exitsOf = async (house: House, session: SessionId) => {
  await expect.poll(async () => (await house.events(session, 'agent-exited')).length).toBeGreaterThan(0)
  return house.events(session, 'agent-exited')
}

/** The last entry closes everything that the subagent and its call left open, so nothing is left for a recovery. */
async function expectClosed(house: House, session: SessionId, status: string): Promise<void> {
  const seq = await house.journal.head(session)
  const [main, task] = await Promise.all(
    [null, 'task'].map(thread => house.sessions.messages(session, { thread, limit: 1 })),
  )
  expect(main?.messages).toMatchObject([
    { message: { id: 'm', parts: [{ toolCallId: 'task', state: 'output-error' }, {}] }, lastSeq: seq },
  ])
  expect(task?.messages).toMatchObject([
    { message: { id: 'sub', parts: [{ type: 'text', state: 'done' }] }, parent: 'm', lastSeq: seq },
  ])
  const subagents = foldEntries(createSubagents(), await house.entries(session))
  expect(subagents).toMatchObject([{ thread: 'task', status, stop: { seq } }])
  expect(await house.options.catalogue.unfinished()).toEqual([])
}

it.each([
  ['dies', {}, { code: 3, reason: null }, 'failed'],
  ['is closed as idle', { idleMs: 10 }, { reason: 'Closed because it was idle.' }, 'stopped'],
])('[S1] the exit of an agent that %s while nothing ran closes its open parts', async (...given) => {
  const [reason, limits, how, status] = given
  let exit: Stage['exit'] = () => {}
  const onConnect = (stage: Stage) => void (exit = stage.exit)
  const { house, session } = await open(limits, { onConnect })
  await using _ = house.sessions
  if (reason === 'dies') exit({ code: 3 })
  expect(await exitsOf(house, session)).toMatchObject([how])
  await expectClosed(house, session, status)
  expect(await house.events(session, 'interaction-ended')).toMatchObject([{ chunks: [] }])
})

it('[S1] the exit closes open parts also when a prompt already waits for the next agent', async () => {
  const [leaving, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const farewell = () => {
    leaving.resolve()
    return asked.promise
  }
  const { house, session } = await open({ idleMs: 5 }, { farewell })
  await using sessions = house.sessions
  await leaving.promise
  await house.prompt(session, 'next')
  asked.resolve()
  await sessions.whenIdle(session)
  const events = (await house.entries(session)).map(({ event }) => event)
  const closing = events.filter(event => event.type === 'agent-exited' || event.type === 'interaction-ended')
  expect(closing.map(({ type, chunks }) => [type, chunks.length > 0])).toEqual([
    ['interaction-ended', false],
    ['agent-exited', true],
    ['interaction-ended', false],
  ])
})

it('[R1] an agent that ran when the server died gets one exit, which closes its open parts', async () => {
  const death = { dead: false }
  const base = await openHouse([createPuppet({ act: delegate })])
  const journal = createMortal(base.journal, death)
  const house = await base.reopen({ journal, catalogue: createMortal(base.options.catalogue, death) })
  const [busy, quiet, unused] = [await house.create(), await house.create(), await house.create()]
  await house.prompt(busy, 'go')
  await house.prompt(quiet, 'hello')
  await Promise.all([busy, quiet].map(session => house.sessions.whenIdle(session)))
  await house.sessions.list({ limit: 1 })
  death.dead = true

  const later = await base.reopen()
  const exit = { code: null, signal: null, reason: 'The server stopped.' }
  expect(await later.events(busy, 'agent-exited')).toMatchObject([exit])
  await expectClosed(later, busy, 'stopped')
  expect(await later.events(quiet, 'agent-exited')).toMatchObject([{ ...exit, chunks: [] }])
  expect(await later.events(unused, 'agent-exited')).toEqual([])
  const heads = () => Promise.all([busy, quiet, unused].map(session => base.journal.head(session)))
  const before = await heads()
  const again = await later.reopen({ recent: [busy, quiet, unused] })
  await using _ = again.sessions
  expect(await heads()).toEqual(before)
})
