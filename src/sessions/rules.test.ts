import { expect, it } from 'vitest'
import type { SessionId } from '../protocol/ids.ts'
import type { Json } from '../protocol/json.ts'
import { openHouse, type House } from './house.fixture.ts'
import { createPuppet, type Act } from './puppet.fixture.ts'

/** Each prompt is a question: `id tool {input}`. */
const asking: Act = async ({ text, say, answer }) => {
  const [id = '', tool = '', ...input] = text.split(' ')
  say({ t: 'begin' })
  say({ t: 'ask', id, tool, input: JSON.parse(input.join(' ')) as Json })
  await answer(id)
  say({ t: 'result', call: `call-${id}` })
  say({ t: 'end' })
}

async function open() {
  const puppet = createPuppet({ act: asking })
  const house = await openHouse([puppet])
  const session = await house.create()
  return { house, session, puppet }
}

const ask = async (house: House, session: SessionId, id: string, tool: string, input: Json) => {
  await house.prompt(session, `${id} ${tool} ${JSON.stringify(input)}`)
  await expect.poll(async () => (await house.sessions.get(session)).pending.length).toBe(1)
}
const allow = (house: House, session: SessionId, approval: string, more: object = {}) =>
  house.sessions.execute({ type: 'answer', session, approval, approved: true, always: true, ...more })

const answers = async (house: House, session: SessionId) =>
  (await house.events(session, 'approval-answered')).map(({ approval, approved, by }) => [
    approval,
    approved,
    by,
  ])

it('[T6] what is always allowed is a rule: it answers the same command, no other, until it is taken back', async () => {
  const { house, session, puppet } = await open()
  await using sessions = house.sessions
  await ask(house, session, 'a', 'Bash', { command: 'ls' })
  await allow(house, session, 'a')
  await sessions.whenIdle(session)
  const { rules } = await sessions.approvals(session)
  expect(rules).toMatchObject([{ tool: 'Bash', command: 'ls', approval: 'a' }])
  const entries = await house.entries(session)
  const made = entries.findIndex(({ event }) => event.type === 'rule-made')
  expect(entries[made - 1]?.event).toMatchObject({ type: 'approval-answered', always: true, by: 'person' })

  await house.prompt(session, 'b Bash {"command":"ls"}')
  await sessions.whenIdle(session)
  await ask(house, session, 'c', 'Bash', { command: 'ls -a' })
  await sessions.execute({ type: 'answer', session, approval: 'c', approved: false })
  await sessions.whenIdle(session)
  const rule = rules[0]?.id ?? ''
  await sessions.execute({ type: 'revoke', session, rule })
  expect((await sessions.approvals(session)).rules).toEqual([])
  await ask(house, session, 'd', 'Bash', { command: 'ls' })
  await sessions.execute({ type: 'answer', session, approval: 'd', approved: false })
  await sessions.whenIdle(session)
  expect(await answers(house, session)).toEqual([
    ['a', true, 'person'],
    ['b', true, 'rule'],
    ['c', false, 'person'],
    ['d', false, 'person'],
  ])
  // The agent is never told that something holds for good: it could not be told otherwise.
  const told = puppet.sent.filter(line => line.startsWith('{"answer"'))
  expect(told.map(line => JSON.parse(line) as object)).toMatchObject(
    [true, true, false, false].map(approved => ({ approved, always: false })),
  )
  expect((await sessions.approvals(session, { all: true })).approvals).toMatchObject([
    { id: 'a', by: 'person', status: 'granted', always: true },
    { id: 'b', by: 'rule', status: 'granted', always: false },
    { id: 'c', by: 'person', status: 'denied' },
    { id: 'd', by: 'person', status: 'denied' },
  ])
  await expect(sessions.execute({ type: 'revoke', session, rule })).rejects.toMatchObject({
    code: 'unknown-rule',
  })
})

it('[T6] a tool without a command is allowed whole; a denial, and an input without its command, make no rule', async () => {
  const { house, session } = await open()
  await using sessions = house.sessions
  const rules = async () =>
    (await sessions.approvals(session)).rules.map(({ tool, command }) => [tool, command])
  await ask(house, session, 'a', 'Read', { path: '/' })
  await allow(house, session, 'a', { approved: false })
  await sessions.whenIdle(session)
  await ask(house, session, 'b', 'Bash', { command: 'rm -r /' })
  await allow(house, session, 'b', { input: { path: '/' } })
  await sessions.whenIdle(session)
  expect(await rules()).toEqual([])
  await ask(house, session, 'c', 'Bash', { command: 'rm -r /' })
  await allow(house, session, 'c', { input: { command: 'rm -r build' } })
  await sessions.whenIdle(session)
  await ask(house, session, 'd', 'Read', { path: '/' })
  await allow(house, session, 'd')
  await sessions.whenIdle(session)
  expect(await rules()).toEqual([
    ['Bash', 'rm -r build'],
    ['Read', null],
  ])
  await house.prompt(session, 'e Read {"path":"/etc"}')
  await house.prompt(session, 'f Bash {"command":"rm -r build"}')
  await sessions.whenIdle(session)
  expect((await answers(house, session)).slice(-2)).toEqual([
    ['e', true, 'rule'],
    ['f', true, 'rule'],
  ])
})

it('[T6] rules hold after a restart, and a new one answers what waits already', async () => {
  const act: Act = async ({ say, answer }) => {
    say({ t: 'begin' })
    for (const id of ['a', 'b']) say({ t: 'ask', id, tool: 'Read' })
    await Promise.all([answer('a'), answer('b')])
    for (const id of ['a', 'b']) say({ t: 'result', call: `call-${id}` })
    say({ t: 'end' })
  }
  const house = await openHouse([createPuppet({ act })])
  const session = await house.create()
  await house.prompt(session, 'go')
  await expect.poll(async () => (await house.sessions.get(session)).pending.length).toBe(2)
  await allow(house, session, 'b')
  await house.sessions.whenIdle(session)
  expect(await answers(house, session)).toEqual([
    ['b', true, 'person'],
    ['a', true, 'rule'],
  ])
  await house.sessions[Symbol.asyncDispose]()
  const later = await house.reopen({ agents: [createPuppet({ act: asking })] })
  await using sessions = later.sessions
  await later.prompt(session, 'c Read {}')
  await sessions.whenIdle(session)
  expect((await answers(later, session)).at(-1)).toEqual(['c', true, 'rule'])
})

it('[T6] a question that nobody answers in time is denied', async () => {
  const puppet = createPuppet({ act: asking })
  const house = await openHouse([puppet], { limits: { approvalMs: 40 } })
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'a Read {}')
  await sessions.whenIdle(session)
  expect(await house.events(session, 'approval-answered')).toMatchObject([
    { approval: 'a', approved: false, by: 'timeout', reason: 'Nobody answered within 40 milliseconds.' },
  ])
  const late = sessions.execute({ type: 'answer', session, approval: 'a', approved: true })
  await expect(late).rejects.toMatchObject({
    code: 'approval-settled',
    details: { winner: { event: { by: 'timeout' } } },
  })
  expect(puppet.sent.filter(line => line.startsWith('{"answer"'))).toHaveLength(1)
})
