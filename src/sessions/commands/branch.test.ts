import { afterEach, expect, it, vi } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { createPuppet, type Act } from '../puppet.fixture.ts'

const speak: Act = ({ say, text }) => {
  say({ t: 'begin', agentSession: 'theirs' })
  say({ t: 'say', text })
  say({ t: 'end' })
}

afterEach(() => void vi.useRealTimers())

async function talk(act: Act = speak) {
  const house = await openHouse([createPuppet({ act }), { ...createPuppet(), name: 'other' }])
  const session = await house.create('s')
  for (const [index, text] of ['one', 'two', 'three'].entries()) {
    await house.prompt(session, text, `p${index}`)
    await house.sessions.whenIdle(session)
  }
  return { house, session }
}

const conversation = async ({ sessions }: House, session: SessionId) =>
  (await sessions.messages(session, { thread: null, limit: 100 })).messages

const textsOf = async (house: House, session: SessionId) =>
  (await conversation(house, session)).map(({ message: { parts } }) =>
    parts.flatMap(part => (part.type === 'text' ? part.text : [])).join(' '),
  )

it('[X5] a branch at an answer has the conversation up to there; the original is unchanged', async () => {
  const { house, session } = await talk()
  await using sessions = house.sessions
  const before = await house.entries(session)
  const messages = await conversation(house, session)
  const message = messages[3]?.message.id ?? ''
  const reply = await sessions.execute({ type: 'branch', session, message, branch: 'b' })
  expect(reply).toEqual({ session: 'b', seq: await house.journal.head(reply.session) })
  const copies = await conversation(house, reply.session)
  const plain = (all: typeof messages) => all.map(each => ({ ...each, firstSeq: 0, lastSeq: 0 }))
  expect(plain(copies)).toEqual(plain(messages.slice(0, 4)))
  expect(await house.entries(session)).toEqual(before)
  const ended = before.filter(({ event }) => event.type === 'interaction-ended')
  expect(await sessions.get(reply.session)).toMatchObject({
    branch: { session, message, seq: ended[1]?.seq },
    agentSession: null,
    title: 'one',
    status: 'idle',
    interactions: 2,
  })
  expect(await house.events(reply.session, 'agent-connected')).toEqual([])
  await house.prompt(reply.session, 'elsewhere')
  await sessions.whenIdle(reply.session)
  expect(await textsOf(house, reply.session)).toEqual(['one', 'one', 'two', 'two', 'elsewhere', 'elsewhere'])
  expect(await textsOf(house, session)).toHaveLength(6)
  const rows = await sessions.list({ limit: 10 })
  expect(rows.sessions.map(each => [each.session, each.branch?.session])).toEqual([
    ['b', 's'],
    ['s', undefined],
  ])
})

it('[X5] copied entries keep their times, also in a branch of the branch', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const { house, session } = await talk()
  await using sessions = house.sessions
  const times = async (from: SessionId) =>
    (await sessions.interactions(from, { limit: 10 })).interactions.map(({ start, stop }) => [
      start.at,
      stop?.at,
    ])
  const first = await times(session)
  await vi.advanceTimersByTimeAsync(5)
  const message = (await conversation(house, session)).at(-1)?.message.id ?? ''
  const branch = await sessions.execute({ type: 'branch', session, message })
  await vi.advanceTimersByTimeAsync(5)
  const twig = await sessions.execute({ type: 'branch', session: branch.session, message })
  expect(await times(branch.session)).toEqual(first)
  expect(await times(twig.session)).toEqual(first)
})

it('[X5] a branch at a prompt sends it again, edited or not', async () => {
  const { house, session } = await talk()
  await using sessions = house.sessions
  const again = await sessions.execute({ type: 'branch', session, message: 'p1' })
  const changed = await sessions.execute({
    type: 'branch',
    session,
    message: 'p0',
    parts: [{ type: 'text', text: 'uno' }],
  })
  await Promise.all([again, changed].map(each => sessions.whenIdle(each.session)))
  expect(await textsOf(house, again.session)).toEqual(['one', 'one', 'two', 'two'])
  expect(await textsOf(house, changed.session)).toEqual(['uno', 'uno'])
  expect((await sessions.get(changed.session)).branch).toMatchObject({ message: 'p0', seq: 1 })
})

it('[X5] a branch can be made at a replaced message, and from a branch', async () => {
  const { house, session } = await talk()
  await using sessions = house.sessions
  const last = (await conversation(house, session)).at(-1)?.message.id ?? ''
  await sessions.execute({ type: 'prompt', session, parts: [{ type: 'text', text: 'new' }], parent: null })
  await sessions.whenIdle(session)
  const branch = await sessions.execute({ type: 'branch', session, message: last })
  expect(await textsOf(house, branch.session)).toEqual(['one', 'one', 'two', 'two', 'three', 'three'])
  const second = await sessions.execute({ type: 'branch', session: branch.session, message: 'p2' })
  await sessions.whenIdle(second.session)
  expect(await textsOf(house, second.session)).toEqual(['one', 'one', 'two', 'two', 'three', 'three'])
  expect((await sessions.get(second.session)).branch?.session).toBe(branch.session)
})

it('[J1] a prompt that a branch has copied does not run when it is sent again', async () => {
  const { house, session } = await talk()
  await using sessions = house.sessions
  const message = (await conversation(house, session))[1]?.message.id ?? ''
  const branch = await sessions.execute({ type: 'branch', session, message })
  const reply = await house.prompt(branch.session, 'one', 'p0')
  expect(reply).toMatchObject({ repeated: true, queued: false, seq: 2 })
  expect(await textsOf(house, branch.session)).toEqual(['one', 'one'])
})

it('[X5] open parts at the cut are closed in the branch, and pending approvals expire', async () => {
  const { house, session } = await talk(({ say, text, answer }) => {
    say({ t: 'begin' })
    if (text === 'two') say({ t: 'ask', id: 'q' })
    if (text !== 'two') return say({ t: 'end' })
    void answer('q').then(() => say({ t: 'result', call: 'call-q' }))
    say({ t: 'end' })
  })
  await using sessions = house.sessions
  const message = (await conversation(house, session))[3]?.message.id ?? ''
  const branch = await sessions.execute({ type: 'branch', session, message })
  const parts = (await conversation(house, branch.session)).at(-1)?.message.parts
  expect(parts?.find(part => part.type === 'dynamic-tool')).toMatchObject({ state: 'output-error' })
  expect((await sessions.get(branch.session)).pending).toEqual([])
  const late = sessions.execute({ type: 'answer', session: branch.session, approval: 'q', approved: true })
  await expect(late).rejects.toMatchObject({
    code: 'approval-settled',
    details: { winner: { event: { type: 'approval-lapsed' } } },
  })
})

it('[R2] a branch at an unknown message, or in the running interaction, is refused', async () => {
  const { house, session } = await talk(({ say, text, interrupted }) => {
    say({ t: 'begin' })
    if (text === 'long') interrupted.addEventListener('abort', () => say({ t: 'end', reason: 'interrupted' }))
    else say({ t: 'end' })
  })
  await using sessions = house.sessions
  const branch = (message: string, name = 'b') =>
    sessions.execute({ type: 'branch', session, message, branch: name })
  await expect(branch('nobody')).rejects.toMatchObject({ code: 'unknown-message' })
  await expect(branch('p0', 's')).rejects.toMatchObject({ code: 'session-exists' })
  await house.prompt(session, 'long', 'p3')
  await expect(branch('p3')).rejects.toMatchObject({ code: 'session-busy' })
  await expect(sessions.get('b' as SessionId)).rejects.toMatchObject({ code: 'unknown-session' })
  await sessions.execute({ type: 'interrupt', session })
  await sessions.whenIdle(session)
})

it('[X5] a branch has the current agent of the session', async () => {
  const { house, session } = await talk()
  await using sessions = house.sessions
  await sessions.execute({ type: 'assign', session, agent: 'other' })
  const branch = await sessions.execute({ type: 'branch', session, message: 'p1' })
  await sessions.whenIdle(branch.session)
  expect((await sessions.get(branch.session)).agent).toBe('other')
  const started = await house.events(branch.session, 'interaction-started')
  expect(started.map(({ agent }) => agent)).toEqual(['puppet', 'other'])
})
