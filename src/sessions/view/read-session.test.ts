import { expect, it } from 'vitest'
import type { Journal } from '../../journal/journal.ts'
import { DragomanError } from '../../protocol/error.ts'
import { openHouse } from '../house.fixture.ts'
import { createPuppet, type Act } from '../puppet.fixture.ts'

it('[T4] a snapshot has the running answer up to the last saved entry, and the number of that entry', async () => {
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

it('[X2] a change of validity is an event, and an unknown interaction is refused', async () => {
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

it('[R5] a session that was running when its process died can be read up to the damage', async () => {
  let damagedFrom = Number.POSITIVE_INFINITY
  const damaged = new DragomanError('session-damaged', 'The rest is damaged.')
  const wrap = (journal: Journal): Journal => ({
    ...journal,
    async read(id, after, limit) {
      if (after + 1 >= damagedFrom) throw damaged
      return (await journal.read(id, after, limit)).filter(({ seq }) => seq < damagedFrom)
    },
    readHot: () => undefined,
  })
  const act: Act = ({ say }) => {
    say({ t: 'begin' })
    for (let at = 0; at < 20; at += 1) say({ t: 'say', text: `word ${at} ` })
  }
  const house = await openHouse([createPuppet({ act })], { wrap })
  await using _before = house.sessions
  const session = await house.create()
  await house.prompt(session, 'go')
  await expect.poll(async () => (await house.events(session, 'agent-spoke')).length).toBe(21)

  const head = await house.journal.head(session)
  damagedFrom = head - 3
  const { sessions } = await house.reopen()
  await using after = sessions
  expect(await after.get(session)).toMatchObject({ session, status: 'failed', running: null })
  await expect(after.execute({ type: 'rename', session, title: 'x' })).rejects.toMatchObject({
    code: 'session-damaged',
  })
})
