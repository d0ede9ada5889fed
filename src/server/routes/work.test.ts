import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

let server: Opened
beforeAll(async () => {
  server = await openDragoman()
})
afterAll(() => server[Symbol.asyncDispose]())

const workOf = async (session: string, query: Readonly<Record<string, string>> = {}) =>
  (await server.call('listWorkLog', { params: { session }, query })).json

describe('the work log', () => {
  it('[X7] has a line for each tool call, with a reference to the native lines', async () => {
    const session = await server.session()
    await server.run(session, 'use tools')
    const { entries, next, asOf } = await workOf(session)
    expect(next).toBeNull()
    expect(asOf).toBeGreaterThan(0)
    expect(entries.map(({ sentence, outcome }) => [sentence, outcome])).toEqual([
      ['Read README.md', 'success'],
      [expect.stringMatching(/^Ran `npm test` → exit 0/), 'success'],
      ['Could not read missing.txt: File missing.txt does not exist.', 'failure'],
    ])
    const [first] = entries
    expect(first).toMatchObject({
      tool: 'Read',
      family: 'read',
      effect: 'read',
      parameters: { path: 'README.md' },
    })
    const { json: messages } = await server.call('listMessages', { params: { session } })
    expect(messages.messages.map(({ id }) => id)).toContain(first?.message)
    for (const seq of first?.raws ?? []) {
      const raw = await server.send(`/api/sessions/${session}/entries/${seq}/raw`)
      expect(raw.status).toBe(200)
      expect(await raw.text()).toContain(first?.toolCallId)
    }
    const after = String((first?.seqs[0] ?? 1) - 1)
    const { json } = await server.call('listEntries', { params: { session }, query: { after, limit: '1' } })
    expect(json.entries.map(({ seq }) => seq)).toEqual([first?.seqs[0]])
  })

  it('[X7] can be filtered by interaction, message, tool, kind, outcome and thread, and is read in pages', async () => {
    const session = await server.session()
    await server.run(session, 'use tools')
    await server.run(session, 'a subagent')
    const all = (await workOf(session)).entries
    const sentences = async (query: Readonly<Record<string, string>>) =>
      (await workOf(session, query)).entries.map(({ sentence }) => sentence)
    const expected = (isSo: (entry: (typeof all)[number]) => boolean) =>
      all.filter(isSo).map(({ sentence }) => sentence)
    const { interaction, message, thread } = all.at(-1) ?? {}
    expect(await sentences({ interaction: String(interaction) })).toEqual(
      expected(entry => entry.interaction === interaction),
    )
    expect(await sentences({ message: String(message) })).toEqual(
      expected(entry => entry.message === message),
    )
    expect(await sentences({ tool: 'Bash' })).toEqual(expected(({ tool }) => tool === 'Bash'))
    expect(await sentences({ tool: 'run' })).toEqual(expected(({ tool }) => tool === 'Bash'))
    expect(await sentences({ outcome: 'failure' })).toEqual(expected(entry => entry.outcome === 'failure'))
    expect(await sentences({ thread: '' })).toEqual(expected(entry => entry.thread === null))
    expect(await sentences({ thread: String(thread) })).toEqual(expected(entry => entry.thread === thread))
    const read: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await workOf(session, { limit: '2', ...(cursor !== undefined && { cursor }) })
      read.unshift(...page.entries.map(({ sentence }) => sentence))
      cursor = page.next
    }
    expect(read).toEqual(expected(() => true))
  })

  it('[X7] shows pending approvals and the answers of people', async () => {
    const session = await server.session()
    await server.call('prompt', { params: { session }, body: { text: 'an approval' } })
    const { id: approval } = await server.asked(session)
    expect((await workOf(session, { outcome: 'pending' })).entries).toMatchObject([
      { sentence: 'Asks to run `rm -r build`', approval: 'asked' },
    ])
    await server.call('answerApproval', { params: { session, approval }, body: { approved: false } })
    await server.dragoman.sessions.whenIdle(session as SessionId)
    expect((await workOf(session)).entries).toMatchObject([
      { sentence: 'Asked to run `rm -r build` → not allowed', approval: 'denied', outcome: 'failure' },
    ])
  })

  it('[X7] refuses unknown parameters', async () => {
    const session = await server.session()
    const asked = async (query: Readonly<Record<string, string>>) =>
      (await server.send(`/api/sessions/${session}/work-log?${new URLSearchParams(query).toString()}`)).status
    expect(await asked({ outcome: 'great' })).toBe(400)
    expect(await asked({ cursor: "1'; drop table tool_call" })).toBe(400)
    expect(await asked({ limit: '0' })).toBe(400)
    expect(await asked({ who: 'me' })).toBe(400)
    expect((await server.call('listWorkLog', { params: { session: 'nobody' } })).status).toBe(404)
  })
})

describe('interactions', () => {
  it('[X1] are listed with state, validity, messages and work, in pages', async () => {
    const session = await server.session()
    await server.run(session, 'use tools')
    await server.run(session, 'an error')
    await server.call('prompt', { params: { session }, body: { text: 'a hang' } })
    const list = async (query: Readonly<Record<string, string>> = {}) =>
      (await server.call('listInteractions', { params: { session }, query })).json
    const { interactions, next } = await list()
    expect(next).toBeNull()
    expect(interactions).toMatchObject([
      { trigger: 'user', agent: 'scripted', state: 'closed', outcome: 'finished', validity: 'active' },
      { state: 'closed', outcome: 'failed' },
      { state: 'open', outcome: null, stop: null },
    ])
    const [first] = interactions
    expect(first?.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    const { entries } = await workOf(session, { interaction: first?.id ?? '' })
    const { work = { success: 0, failure: 0 } } = first ?? {}
    expect(work.success + work.failure).toBe(entries.length)
    expect((await list({ state: 'open' })).interactions.map(({ id }) => id)).toEqual([interactions[2]?.id])
    expect((await list({ validity: 'archived' })).interactions).toEqual([])
    const newest = await list({ limit: '2' })
    expect(newest.interactions.map(({ id }) => id)).toEqual(interactions.slice(1).map(({ id }) => id))
    const older = await list({ limit: '2', before: String(newest.next) })
    expect(older).toMatchObject({ interactions: [{ id: first?.id }], next: null })
    await server.call('interrupt', { params: { session } })
    await server.dragoman.sessions.whenIdle(session as SessionId)
    expect((await list({ state: 'aborted' })).interactions).toMatchObject([{ outcome: 'interrupted' }])
  })
})

describe('thinking', () => {
  const thinkingIn = (session: string, interaction: string) =>
    server.call('listThinking', { params: { session, interaction } })

  it('[W2] has the time of each thought of an interaction, with a reference to its part', async () => {
    const session = await server.session()
    await server.run(session, 'thinking')
    await server.run(session, 'tools')
    const { json } = await server.call('listInteractions', { params: { session } })
    const [thought, other] = json.interactions.map(({ id }) => id)
    const { thoughts, asOf } = (await thinkingIn(session, String(thought))).json
    const { messages } = (await server.call('listMessages', { params: { session } })).json
    const parts = messages.flatMap(({ id, parts: all }) =>
      all.filter(({ type }) => type === 'reasoning').map(({ id: part }) => [id, part]),
    )
    expect(parts).not.toEqual([])
    expect(thoughts.map(({ message, part }) => [message, part])).toEqual(parts)
    for (const { thread, start, end } of thoughts) {
      expect(thread).toBeNull()
      expect(end?.seq).toBeGreaterThan(start.seq)
      expect(end?.at).toBeGreaterThanOrEqual(start.at)
    }
    expect(asOf).toBeGreaterThan(0)
    expect((await thinkingIn(session, String(other))).json.thoughts).toEqual([])
  })

  it('[P1] of an unknown interaction is refused with a sentence', async () => {
    const session = await server.session()
    const unknown = await thinkingIn(session, 'nothing')
    expect(unknown.status).toBe(404)
    expect(unknown.json).toMatchObject({ detail: `Session ${session} has no interaction nothing.` })
    expect((await thinkingIn('nobody', 'nothing')).status).toBe(404)
  })
})

describe('interactions', () => {
  it('[X7] have the beginnings of their prompts when these are asked for', async () => {
    const session = await server.session()
    await server.run(session, 'a short answer')
    await server.run(session, `long ${'words '.repeat(100)}`)
    const params = { session }
    const told = await server.call('listInteractions', { params, query: { texts: '1', limit: '500' } })
    const [first, second] = told.json.interactions
    expect(first?.text).toBe('a short answer')
    expect(second?.text).toMatch(/^long words /)
    expect(second?.text?.length).toBeLessThan(210)
    const plain = await server.call('listInteractions', { params })
    expect(plain.json.interactions[0]).not.toHaveProperty('text')
  })
})
