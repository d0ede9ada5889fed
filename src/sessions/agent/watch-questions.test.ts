import { expect, it } from 'vitest'
import { openHouse } from '../house.fixture.ts'
import { createPuppet, type Act } from '../puppet.fixture.ts'

const asking: Act = async ({ say, text, answer }) => {
  say({ t: 'begin' })
  if (text === 'ask') {
    say({ t: 'ask', id: 'may-i' })
    await answer('may-i')
    say({ t: 'result', call: 'call-may-i' })
  }
  say({ t: 'end' })
}

it('[T6] [T7] an answer in merged interactions is not delivered to an agent that never asked', async () => {
  const house = await openHouse([createPuppet({ act: asking })])
  await using sessions = house.sessions
  const [from, to] = [await house.create('from'), await house.create('to')]
  await house.prompt(from, 'ask')
  await expect.poll(async () => (await sessions.get(from)).status).toBe('waiting')
  await sessions.execute({ type: 'answer', session: from, approval: 'may-i', approved: true })
  await sessions.whenIdle(from)
  expect(JSON.stringify(await house.events(from, 'host-spoke'))).toContain('may-i')
  await house.prompt(to, 'hello')
  await sessions.whenIdle(to)
  const before = (await house.entries(to)).length
  await sessions.execute({ type: 'merge', session: to, from })
  await expect.poll(async () => (await house.entries(to)).at(-1)?.event.type).toBe('agent-exited')
  const later = (await house.entries(to)).slice(before).map(({ event }) => event)
  const merged = later.findIndex(({ type }) => type === 'interactions-merged')
  expect(later.slice(merged + 1)).toMatchObject([
    { type: 'agent-exited', reason: 'Closed because the conversation was merged with another.' },
  ])
})
