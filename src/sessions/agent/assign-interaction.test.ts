import { expect, it } from 'vitest'
import { openHouse } from '../house.fixture.ts'
import { createPuppet, type Act } from '../puppet.fixture.ts'

const start = (messageId: string) => ({ type: 'start', messageId }) as const
const finish = { type: 'finish' } as const
const hi = [
  { type: 'text-start', id: 't' },
  { type: 'text-end', id: 't' },
] as const

it.each([
  ['before', [[start('m1'), finish], [start('m2')], hi, [finish]], ['one', 'two', 'two', 'two']],
  ['in the first line of', [[start('m1'), finish, start('m2')], hi, [finish]], ['two', 'two', 'two']],
  ['in the last line of', [[start('m2')], hi, [finish, start('m1'), finish]], ['two', 'two', 'two']],
])(
  '[P3] a late result %s another answer neither ends that answer nor keeps it open',
  async (_, lines, owners) => {
    const act: Act = ({ say, text }) => {
      const played = text === 'one' ? [[start('m1'), finish]] : lines
      for (const chunks of played)
        say({ t: 'chunks', chunks: chunks.map(chunk => ({ thread: null, chunk })) })
    }
    const house = await openHouse([createPuppet({ act })])
    await using sessions = house.sessions
    const session = await house.create()
    const one = await house.prompt(session, 'one')
    await sessions.whenIdle(session)
    const two = await house.prompt(session, 'two')
    await sessions.whenIdle(session, AbortSignal.timeout(30_000))
    const events = (await house.events(session, 'agent-spoke')).slice(1)
    expect(events.map(({ interaction }) => (interaction === one.interaction ? 'one' : 'two'))).toEqual(owners)
    expect((await house.entries(session)).at(-1)?.event).toMatchObject({
      type: 'interaction-ended',
      interaction: two.interaction,
      outcome: 'finished',
    })
    const { messages } = await sessions.messages(session, { thread: null, limit: 10 })
    expect(messages.map(({ message, interaction }) => [message.id, interaction])).toMatchObject([
      [{}, one.interaction],
      ['m1', one.interaction],
      [{}, two.interaction],
      ['m2', two.interaction],
    ])
  },
)

it.each([
  ['length', 'failed', 'Cut off: the answer reached the output limit. Ask the agent to continue.'],
  ['content-filter', 'failed', 'Cut off: the model refused to answer, or a filter stopped it.'],
  ['stop', 'finished', null],
  ['other', 'finished', null],
] as const)('[P7] an answer whose model stopped with "%s" is %s', async (finishReason, outcome, reason) => {
  const chunks = [start('m1'), ...hi, { type: 'finish', finishReason } as const]
  const act: Act = ({ say }) => say({ t: 'chunks', chunks: chunks.map(chunk => ({ thread: null, chunk })) })
  const house = await openHouse([createPuppet({ act })])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'one')
  await sessions.whenIdle(session)
  expect(await house.events(session, 'interaction-ended')).toMatchObject([{ outcome, reason }])
})

it('[P7] an answer that the agent reports as stopped, without a request from here, does not say that you stopped it', async () => {
  const end = { type: 'finish', messageMetadata: { reason: 'interrupted' } } as const
  const chunks = [start('m1'), ...hi, end].map(chunk => ({ thread: null, chunk }))
  const house = await openHouse([createPuppet({ act: ({ say }) => say({ t: 'chunks', chunks }) })])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'one')
  await sessions.whenIdle(session)
  expect(await house.events(session, 'interaction-ended')).toMatchObject([
    { outcome: 'interrupted', reason: 'Stopped by the agent.' },
  ])
})
