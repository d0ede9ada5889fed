import { expect, it } from 'vitest'
import { openHouse } from '../house.fixture.ts'
import { createPuppet } from '../puppet.fixture.ts'

it('[T4] a snapshot has the running answer as far as it is saved, and says how far that is', async () => {
  const house = await openHouse([
    createPuppet({
      act: ({ say }) => {
        say({ t: 'begin' })
        say({ t: 'say', text: 'so far' })
      },
    }),
  ])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'go', 'p')
  await expect.poll(async () => (await house.events(session, 'agent-spoke')).length).toBe(2)
  const { messages, asOf } = await sessions.messages(session, { thread: null, limit: 10 })
  expect(messages.map(({ message }) => [message.role, message.parts.at(-1)])).toMatchObject([
    ['user', { type: 'text', text: 'go' }],
    ['assistant', { type: 'text', text: 'so far' }],
  ])
  expect(asOf).toBe(await house.journal.head(session))
})

it('[X2] validity is an event, and an unknown interaction is refused', async () => {
  const house = await openHouse([createPuppet()])
  await using sessions = house.sessions
  const session = await house.create()
  const { interaction } = await house.prompt(session, 'go')
  await sessions.whenIdle(session)
  const wish = { type: 'set-validity', session, to: 'invalidated', by: 'me', reason: 'wrong' } as const
  await sessions.execute({ ...wish, interaction: interaction ?? '' })
  const { messages } = await sessions.messages(session, { thread: null, limit: 10 })
  expect(messages.map(({ validity }) => validity)).toEqual(['invalidated', 'invalidated'])
  const unknown = sessions.execute({ ...wish, interaction: 'nobody' })
  await expect(unknown).rejects.toMatchObject({ code: 'unknown-interaction' })
  await sessions.execute({ type: 'rename', session, title: 'Better' })
  const { sessions: listed } = await sessions.list({ limit: 5, query: 'bett' })
  expect(listed.map(({ title }) => title)).toEqual(['Better'])
})
