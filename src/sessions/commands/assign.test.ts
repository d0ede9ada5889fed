import { expect, it } from 'vitest'
import type { ConnectOptions } from '../../agents/agent.ts'
import { DragomanError } from '../../protocol/error.ts'
import { openHouse } from '../house.fixture.ts'
import { createPuppet } from '../puppet.fixture.ts'

it('[P9] a session is assigned to another agent, which starts its own session', async () => {
  const first = createPuppet({
    act: ({ say }) => {
      say({ t: 'begin', agentSession: 'theirs' })
      say({ t: 'end' })
    },
  })
  const second = { ...createPuppet(), name: 'second' }
  const house = await openHouse([first, second])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'one')
  await sessions.whenIdle(session)
  expect(await sessions.get(session)).toMatchObject({ agentSession: 'theirs', model: 'wood' })
  const { seq } = await sessions.execute({ type: 'assign', session, agent: 'second' })
  expect(seq).not.toBeNull()
  expect(await sessions.get(session)).toMatchObject({ agent: 'second', agentSession: null, model: null })
  expect(await sessions.execute({ type: 'assign', session, agent: 'second' })).toEqual({ seq: null })
  await house.prompt(session, 'two')
  await sessions.whenIdle(session)
  expect(await house.events(session, 'agent-connected')).toMatchObject([
    { agent: 'puppet' },
    { agent: 'second', resumed: null },
  ])
  const { messages } = await sessions.messages(session, { thread: null, limit: 9 })
  expect(messages.map(({ agent }) => agent)).toEqual(['puppet', 'puppet', 'second', 'second'])
  expect((await sessions.list({ limit: 9, agent: 'second' })).sessions).toHaveLength(1)
})

it('[A13] the next agent is started with the options of its assignment, also after a restart', async () => {
  const seen: unknown[] = []
  const second = createPuppet()
  const spy = {
    ...second,
    name: 'second',
    check: async ({ options }: { readonly options: unknown }) => {
      if (JSON.stringify(options).includes('wrong'))
        throw new DragomanError('invalid-input', 'No such model.')
    },
    connect: (options: ConnectOptions) => {
      seen.push(options.options)
      return second.connect(options)
    },
  }
  const house = await openHouse([createPuppet(), spy])
  await using sessions = house.sessions
  const session = await house.create()
  const assign = (agent: string, options?: object) =>
    sessions.execute({ type: 'assign', session, agent, ...(options && { options: options as never }) })
  await expect(assign('second', { model: 'wrong' })).rejects.toMatchObject({ code: 'invalid-input' })
  await assign('second', { model: 'oak' })
  await house.prompt(session, 'one')
  await sessions.whenIdle(session)
  await assign('puppet')
  await assign('second', { model: 'elm' })
  await house.prompt(session, 'two')
  await sessions.whenIdle(session)
  expect(seen).toEqual([{ model: 'oak' }, { model: 'elm' }])
})

it('[R2] an assignment is refused while something runs, and for an unknown agent', async () => {
  const house = await openHouse([
    createPuppet({
      act: ({ say, interrupted }) => {
        say({ t: 'begin' })
        interrupted.addEventListener('abort', () => say({ t: 'end', reason: 'interrupted' }))
      },
    }),
    { ...createPuppet(), name: 'second' },
  ])
  await using sessions = house.sessions
  const session = await house.create()
  const assign = (agent: string) => sessions.execute({ type: 'assign', session, agent })
  await expect(assign('nobody')).rejects.toMatchObject({ code: 'unknown-agent' })
  await house.prompt(session, 'long')
  await expect(assign('second')).rejects.toMatchObject({ code: 'session-busy' })
  await sessions.execute({ type: 'interrupt', session })
  await sessions.whenIdle(session)
  await assign('second')
  expect(await house.events(session, 'agent-assigned')).toHaveLength(1)
})
