import { expect, it } from 'vitest'
import { DragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { createPuppet, echo, type Act } from '../puppet.fixture.ts'
import type { Routes } from './prompt-routes.ts'

async function talk(routes?: Routes, act: Act = echo) {
  const prompts: string[] = []
  const agents = ['puppet', 'codex'].map(name =>
    createPuppet({
      name,
      act(stage) {
        prompts.push(`${name}: ${stage.text}`)
        return act(stage)
      },
    }),
  )
  const house = await openHouse(agents, { ...(routes && { routes }) })
  return { house, session: await house.create('s'), prompts }
}

async function say({ sessions }: House, session: SessionId, ...said: readonly (string | PromptPart)[]) {
  const parts = said.map(part => (typeof part === 'string' ? { type: 'text' as const, text: part } : part))
  await sessions.execute({ type: 'prompt', session, parts })
  await sessions.whenIdle(session)
}

it('[A13] a prompt goes to the agent that its first word names, without that word; the journal has the full prompt', async () => {
  const { house, session, prompts } = await talk({ '@codex': 'codex', '@puppet': 'puppet' })
  await using sessions = house.sessions
  await say(house, session, 'one')
  await say(house, session, '  @codex fix\n this')
  await say(house, session, 'and that')
  await say(house, session, '@codexy @codex')
  await say(house, session, '@puppet')
  expect(prompts).toEqual([
    'puppet: one',
    'codex: fix\n this',
    'codex: and that',
    'codex: @codexy @codex',
    'puppet: @puppet',
  ])
  const { messages } = await sessions.messages(session, { thread: null, limit: 100 })
  expect(messages[2]?.message.parts).toEqual([{ type: 'text', text: '  @codex fix\n this' }])
  expect(await sessions.get(session)).toMatchObject({ agent: 'puppet' })
  const handovers = await house.events(session, 'conversation-handed-over')
  expect(handovers.map(({ agent, how }) => `${agent} ${how}`)).toEqual([
    'codex transcript',
    'puppet transcript',
  ])
})

it('[A13] without routes the first word has no meaning, and inherited property names are not routes', async () => {
  const plain = await talk()
  await using _sessions = plain.house.sessions
  await say(plain.house, plain.session, '@codex fix')
  await say(plain.house, plain.session, 'constructor')
  expect(plain.prompts).toEqual(['puppet: @codex fix', 'puppet: constructor'])
})

it('[A13] a function chooses the agent, for queued prompts too; an unknown one is refused', async () => {
  const gate = Promise.withResolvers<void>()
  const routes: Routes = ({ text, parts, session: { agent } }) => {
    if (text.includes('nobody')) return 'nobody'
    return parts.some(({ type }) => type === 'file') && agent === 'puppet' ? 'codex' : null
  }
  const { house, session, prompts } = await talk(routes, async stage => {
    if (stage.text === 'slowly') await gate.promise
    await echo(stage)
  })
  await using _sessions = house.sessions
  await house.prompt(session, 'slowly')
  const picture: PromptPart = { type: 'file', url: 'data:,x', mediaType: 'text/plain' }
  const queued = say(house, session, 'look at', picture)
  await expect(say(house, session, 'nobody')).rejects.toThrow(DragomanError)
  gate.resolve()
  await queued
  expect(prompts).toEqual(['puppet: slowly', 'codex: look at data:,x'])
})
