import { expect, it } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { createPuppet, echo, type Act } from '../puppet.fixture.ts'

async function talk(act: Act = echo) {
  const house = await openHouse([createPuppet({ act })])
  const session = await house.create('s')
  for (const [index, text] of ['one', 'two'].entries()) {
    await house.prompt(session, text, `p${index}`)
    await house.sessions.whenIdle(session)
  }
  return { house, session }
}

const replace = (house: House, session: SessionId, parent: string | null, text: string, id?: string) =>
  house.sessions.execute({
    type: 'prompt',
    session,
    parts: [{ type: 'text', text }],
    parent,
    ...(id !== undefined && { prompt: id }),
  })

async function textsOf({ sessions }: House, session: SessionId, more = {}) {
  const { messages } = await sessions.messages(session, { thread: null, limit: 100, ...more })
  return messages.map(({ message: { role, parts } }) => {
    const text = parts.flatMap(part => (part.type === 'text' ? part.text : [])).join(' ')
    return role === 'user' ? `> ${text}` : text
  })
}

it('[J5] an edited prompt replaces the original and all messages after it, and nothing is deleted', async () => {
  const { house, session } = await talk()
  await using sessions = house.sessions
  const [, answer] = (await sessions.messages(session, { thread: null, limit: 10 })).messages
  const { interaction } = await replace(house, session, answer?.message.id ?? '', 'two and a half', 'p2')
  await sessions.whenIdle(session)
  expect(await textsOf(house, session)).toEqual(['> one', 'one', '> two and a half', 'two and a half'])
  const { messages } = await sessions.messages(session, { thread: null, limit: 10, replaced: true })
  const family = messages.map(({ message, parent, replacedBy }) => [message.id, parent, replacedBy])
  const [first, second] = [answer?.message.id, messages[3]?.message.id]
  expect(family).toEqual([
    ['p0', null, null],
    [first, 'p0', null],
    ['p1', first, interaction],
    [second, 'p1', interaction],
    ['p2', first, null],
    [messages[5]?.message.id, 'p2', null],
  ])
  await replace(house, session, null, 'from scratch')
  await sessions.whenIdle(session)
  expect(await textsOf(house, session)).toEqual(['> from scratch', 'from scratch'])
  expect(await textsOf(house, session, { replaced: true })).toHaveLength(8)
})

it('[J5] a repeated edit gets the first reply and replaces nothing', async () => {
  const { house, session } = await talk()
  await using sessions = house.sessions
  const first = await replace(house, session, 'p0', 'again', 'p2')
  await sessions.whenIdle(session)
  expect(await replace(house, session, 'p0', 'again', 'p2')).toEqual({ ...first, repeated: true })
  expect(await textsOf(house, session)).toEqual(['> one', '> again', 'again'])
})

it('[R2] an edit is refused while something runs, and after a message that is not in the conversation', async () => {
  const { house, session } = await talk(stage => {
    if (stage.text !== 'long') return echo(stage)
    stage.say({ t: 'begin' })
    stage.interrupted.addEventListener('abort', () => stage.say({ t: 'end', reason: 'interrupted' }))
  })
  await using sessions = house.sessions
  await replace(house, session, 'p0', 'other', 'p2')
  await sessions.whenIdle(session)
  const count = async () => (await house.entries(session)).length
  const before = await count()
  const unknown = { code: 'unknown-message' }
  await expect(replace(house, session, 'nobody', 'x')).rejects.toMatchObject(unknown)
  await expect(replace(house, session, 'p1', 'x')).rejects.toMatchObject({
    ...unknown,
    message: expect.stringContaining('has replaced the message p1') as string,
  })
  expect(await count()).toBe(before)
  await house.prompt(session, 'long')
  await expect(replace(house, session, 'p0', 'x')).rejects.toMatchObject({ code: 'session-busy' })
  await sessions.execute({ type: 'interrupt', session })
  await sessions.whenIdle(session)
})

it('[T4] with excludeRunning, the messages are those at the start of the running interaction: with its prompt, without what it replaced', async () => {
  const gate = Promise.withResolvers<void>()
  const { house, session } = await talk(async stage => {
    stage.say({ t: 'begin' })
    if (stage.text === 'slowly') await gate.promise
    stage.say({ t: 'say', text: stage.text })
    stage.say({ t: 'end' })
  })
  await using sessions = house.sessions
  const { seq } = await replace(house, session, 'p0', 'slowly')
  await expect.poll(async () => (await house.events(session, 'agent-spoke')).length).toBe(7)
  expect(await textsOf(house, session)).toEqual(['> one', '> slowly', ''])
  expect(await textsOf(house, session, { excludeRunning: true })).toEqual(['> one', '> slowly'])
  const read = await sessions.messages(session, { thread: null, limit: 1, excludeRunning: true })
  expect(read.asOf).toBe(seq)
  gate.resolve()
  await sessions.whenIdle(session)
  expect(await textsOf(house, session, { excludeRunning: true })).toEqual(['> one', '> slowly', 'slowly'])
})
