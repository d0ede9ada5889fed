import { describe, expect, it } from 'vitest'
import { compile, createHistoryFold, profiles, recordCompile, type Manifest } from '../../context/index.ts'
import { foldEntries } from '../../projections/fold.ts'
import type { InteractionId, SessionId } from '../../protocol/ids.ts'
import type { House } from '../house.fixture.ts'
import { lines, openTalk, sendPrompts } from './talk.fixture.ts'

const all = { limit: 1000 }
const target = { window: 200_000, fixedTokens: 0, thinking: 'free' } as const

/** Saves one more request, as an agent whose requests are built here would. */
async function send({ journal }: House, session: SessionId, previous: Manifest | null) {
  const entries = await journal.read(session, 0, 1_000_000)
  const history = foldEntries(createHistoryFold(), entries)
  const step = Math.max(0, ...history.messages.map(each => each.step)) + 1
  const { manifest } = compile(
    history,
    { ...target, step, at: entries.length, boundary: previous === null },
    profiles.lossless,
    previous,
  )
  await journal.append(session, recordCompile(history, manifest, 'i' as InteractionId, 'applied'))
  return manifest
}

describe('the context of an agent with its own history', () => {
  it('[X4] is an advice, and is marked as one', async () => {
    const house = await openTalk()
    await using sessions = house.sessions
    const session = await house.create('s')
    await sendPrompts(house, session, 'read /a.ts', 'read /a.ts', 'thanks')
    const view = await sessions.context(session, all)
    expect(view).toMatchObject({
      agent: 'puppet',
      effective: 'advisory',
      source: 'advisory',
      policy: 'safe',
      request: { seq: null, interaction: null, isCold: true },
      covered: { messages: 6, earlier: 0 },
      saved: { requests: 0, tokens: 0 },
      recalled: null,
    })
    expect(view.explanation).toContain('does not accept changes')
    const { before, after } = view.request.tokens
    expect(after).toBeLessThan(before)
    const [part] = view.parts
    expect(part).toMatchObject({
      as: 'placeholder',
      rule: 'covered',
      why: 'read again later',
      manipulation: null,
    })
    expect(part?.text).toContain(`recall ${part?.recall}`)
    expect(part?.tokens?.after).toBeLessThan(part?.tokens?.before ?? 0)
    const events = await house.entries(session)
    expect(events.some(({ event }) => event.type.startsWith('manipulation'))).toBe(false)
  })

  it('[X4] has the original of a part, by its id and by its short id', async () => {
    const house = await openTalk()
    await using sessions = house.sessions
    const session = await house.create('s')
    await sendPrompts(house, session, 'read /a.ts', 'read /a.ts')
    const [part] = (await sessions.context(session, all)).parts
    for (const name of [part?.part, part?.recall]) {
      const { recalled, parts, total } = await sessions.context(session, { ...all, part: name ?? '' })
      expect(recalled).toMatchObject({ part: part?.part, kind: 'result', tool: 'Read', role: 'tool' })
      expect(recalled?.text).toBe(lines(40, '/a.ts'))
      expect({ parts, total }).toEqual({ parts: [part], total: 1 })
    }
    await expect(sessions.context(session, { ...all, part: 'nothing' })).rejects.toMatchObject({
      code: 'unknown-part',
    })
    await expect(sessions.context(session, { ...all, step: 1 })).rejects.toMatchObject({
      code: 'unknown-request',
    })
  })

  it('[X4] follows the changes of a person, and has pages', async () => {
    const house = await openTalk()
    await using sessions = house.sessions
    const session = await house.create('s')
    await sendPrompts(house, session, 'one', 'two', 'three')
    const { interactions } = await sessions.interactions(session, all)
    const wish = interactions.map(({ id }) => ({ do: 'archive', interaction: id }) as const)
    await sessions.execute({ type: 'manipulate', session, changes: wish })
    const { parts, total } = await sessions.context(session, all)
    expect(total).toBe(6)
    expect(new Set(parts.map(({ as, rule }) => `${as} ${rule}`))).toEqual(new Set(['omitted archive']))
    const pages: string[] = []
    for (let cursor: string | undefined; ;) {
      const page = await sessions.context(session, { limit: 4, ...(cursor !== undefined && { cursor }) })
      pages.unshift(...page.parts.map(({ part }) => part))
      if (page.next === null) break
      cursor = page.next
    }
    expect(pages).toEqual(parts.map(({ part }) => part))
  })
})

describe('the context of requests that were built here', () => {
  it('[X4] shows what was sent, why, and how much was saved, for each request', async () => {
    const talk = await openTalk()
    const session = await talk.create('s')
    await sendPrompts(talk, session, 'read /a.ts')
    await talk.sessions[Symbol.asyncDispose]()
    const first = await send(talk, session, null)
    const more = await talk.reopen()
    await sendPrompts(more, session, 'read /a.ts')
    await more.sessions[Symbol.asyncDispose]()
    const second = await send(more, session, first)
    const house = await more.reopen()
    await using sessions = house.sessions
    const view = await sessions.context(session, all)
    expect(view).toMatchObject({
      source: 'sent',
      policy: 'lossless',
      request: { step: second.step, tokens: second.tokens, interaction: 'i', messages: second.messages },
      total: 1,
      saved: {
        requests: 2,
        before: first.tokens.before + second.tokens.before,
        after: first.tokens.after + second.tokens.after,
        tokens: second.tokens.before - second.tokens.after,
      },
    })
    expect(second.tokens.after).toBeLessThan(second.tokens.before)
    expect(view.parts).toMatchObject([
      {
        as: 'reference',
        rule: 'duplicate',
        manipulation: expect.stringMatching(new RegExp(`^request-${second.step}\\..+\\.duplicate$`)),
        text: null,
      },
    ])
    const [part] = view.parts
    expect(view.parts[0]?.sources[0]).toMatch(/\.result$/)
    expect(part?.tokens).toEqual(second.changes.find(each => each.part === part?.part)?.tokens)
    expect(await sessions.context(session, { ...all, step: first.step })).toMatchObject({
      request: { step: first.step },
      parts: [],
      total: 0,
    })
    const { recalled } = await sessions.context(session, { ...all, part: part?.recall ?? '' })
    expect(recalled?.text).toBe(lines(40, '/a.ts'))
    // The source can be read by its short id, too.
    const [line] = (await sessions.manipulations(session, { ...all, part: part?.part ?? '' })).manipulations
    expect(line).toMatchObject({ id: part?.manipulation, holds: true })
  })

  it('[X4] no longer has rolled back changes, from the next request on', async () => {
    const talk = await openTalk()
    const session = await talk.create('s')
    await sendPrompts(talk, session, 'read /a.ts', 'read /a.ts')
    await talk.sessions[Symbol.asyncDispose]()
    const first = await send(talk, session, null)
    const more = await talk.reopen()
    const [part] = (await more.sessions.context(session, all)).parts
    await more.sessions.execute({
      type: 'roll-back',
      session,
      manipulations: [part?.manipulation ?? ''],
    })
    await more.sessions[Symbol.asyncDispose]()
    const second = await send(more, session, first)
    expect(second.tokens).toEqual({ before: first.tokens.before, after: first.tokens.before })
    await using sessions = (await more.reopen()).sessions
    expect(await sessions.context(session, all)).toMatchObject({ source: 'sent', parts: [], total: 0 })
  })
})
