import { describe, expect, it } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { openTalk, sendPrompts } from '../context/talk.fixture.ts'
import type { ExportLine } from '../view/export-interaction.ts'
import type { House } from '../house.fixture.ts'

const all = { limit: 1000 }

const textsOf = async ({ sessions }: House, session: SessionId) =>
  (await sessions.messages(session, { thread: null, limit: 100 })).messages.map(({ message }) =>
    message.parts.flatMap(part => (part.type === 'text' ? part.text : [])).join(' '),
  )

async function branched() {
  const house = await openTalk()
  const session = await house.create('s')
  await sendPrompts(house, session, 'one', 'two')
  const { messages } = await house.sessions.messages(session, { thread: null, limit: 100 })
  const message = messages[1]?.message.id ?? ''
  const { session: branch } = await house.sessions.execute({ type: 'branch', session, message, branch: 'b' })
  await sendPrompts(house, branch, 'three', 'four')
  return { house, session, branch }
}

describe('merge', () => {
  it('[X5] appends the new interactions of a branch, with their origin, and never twice', async () => {
    const { house, session, branch } = await branched()
    await using sessions = house.sessions
    const before = await house.entries(branch)
    const reply = await sessions.execute({ type: 'merge', session, from: branch })
    const own = (await sessions.interactions(branch, all)).interactions.slice(1).map(({ id }) => id)
    expect(reply).toEqual({ interactions: own, seq: expect.any(Number) })
    expect(await textsOf(house, session)).toEqual([
      'one',
      'one',
      'two',
      'two',
      'three',
      'three',
      'four',
      'four',
    ])
    expect(await house.events(session, 'interactions-merged')).toMatchObject([
      { from: branch, interactions: own, seq: before.at(-1)?.seq },
    ])
    expect(await textsOf(house, branch)).toEqual(['one', 'one', 'three', 'three', 'four', 'four'])
    const head = await house.journal.head(session)
    expect(await sessions.execute({ type: 'merge', session, from: branch })).toEqual({
      interactions: [],
      seq: null,
    })
    // The agent with the earlier conversation was closed, and nothing else happened since.
    const later = (await house.entries(session)).slice(head).map(({ event }) => event.type)
    expect(later.filter(type => type !== 'agent-exited')).toEqual([])
    expect(await sessions.get(session)).toMatchObject({ agentSession: null, agent: 'puppet', status: 'idle' })
    await sendPrompts(house, session, 'five')
    expect((await textsOf(house, session)).slice(-2)).toEqual(['five', 'five'])
  })

  it('[X5] merges the given interactions, in their order, from any session', async () => {
    const { house, session } = await branched()
    await using sessions = house.sessions
    const { session: other } = await sessions.execute({
      type: 'create',
      agent: 'other',
      cwd: '/',
      session: 'o',
    })
    await sendPrompts(house, other, 'there one', 'there two')
    const [, second] = (await sessions.interactions(other, all)).interactions
    await sessions.execute({ type: 'merge', session, from: other, interactions: [second?.id ?? ''] })
    expect((await textsOf(house, session)).slice(-2)).toEqual(['there two', 'there two'])
    expect(await sessions.get(session)).toMatchObject({ agent: 'puppet' })
  })

  it('[X5] keeps a prompt whose id already exists here', async () => {
    const house = await openTalk()
    await using sessions = house.sessions
    const [one, two] = [await house.create('one'), await house.create('two')]
    for (const session of [one, two]) {
      await house.prompt(session, `in ${session}`, 'same')
      await sessions.whenIdle(session)
    }
    await sessions.execute({ type: 'merge', session: one, from: two })
    expect(await textsOf(house, one)).toEqual(['in one', 'in one', 'in two', 'in two'])
  })

  it('[X5] merges the changes that a person made to the interactions, but no changes of others', async () => {
    const { house, session, branch } = await branched()
    await using sessions = house.sessions
    const [, three] = (await sessions.interactions(branch, all)).interactions
    await sessions.execute({
      type: 'manipulate',
      session: branch,
      changes: [{ do: 'archive', interaction: three?.id ?? '' }],
    })
    await sessions.execute({ type: 'merge', session, from: branch })
    const { interactions } = await sessions.interactions(session, all)
    expect(interactions.map(({ validity }) => validity)).toEqual(['active', 'active', 'archived', 'active'])
  })

  it('[X5] refuses the same session, unknown sessions and interactions, and a busy session', async () => {
    const { house, session, branch } = await branched()
    await using sessions = house.sessions
    const merge = (from: string, interactions?: string[]) =>
      sessions.execute({ type: 'merge', session, from, interactions })
    await expect(merge(session)).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(merge('nobody')).rejects.toMatchObject({ code: 'unknown-session' })
    const [foreign] = (await sessions.interactions(session, all)).interactions.slice(1)
    await expect(merge(branch, [foreign?.id ?? ''])).rejects.toMatchObject({ code: 'unknown-interaction' })
    await sessions.execute({ type: 'delete', session: branch })
    await expect(merge(branch)).rejects.toMatchObject({ code: 'unknown-session' })
  })
})

describe('an export', () => {
  it('[X5] has one complete interaction: its messages, its entries, and every native line', async () => {
    const house = await openTalk()
    await using sessions = house.sessions
    const session = await house.create('s')
    await sendPrompts(house, session, 'one', 'read /a.ts')
    const [, second] = (await sessions.interactions(session, all)).interactions
    const lines: ExportLine[] = []
    await sessions.exportInteraction(session, second?.id as never, line => void lines.push(line))
    expect(lines[0]).toMatchObject({ type: 'interaction', session, interaction: second?.id, agent: 'puppet' })
    const messages = lines.flatMap(line => (line.type === 'message' ? [line.message.message] : []))
    const { messages: shown } = await sessions.messages(session, { thread: null, limit: 2 })
    expect(messages).toEqual(shown.map(({ message }) => message))
    const entries = lines.flatMap(line => (line.type === 'entry' ? [line.entry] : []))
    const own = (await house.entries(session)).filter(
      ({ event }) => 'interaction' in event && event.interaction === second?.id,
    )
    expect(entries).toEqual(own)
    expect(entries.some(({ event }) => event.type === 'agent-spoke' && event.raw.length > 0)).toBe(true)
    await expect(sessions.exportInteraction(session, 'nothing' as never, () => {})).rejects.toMatchObject({
      code: 'unknown-interaction',
    })
  })
})
