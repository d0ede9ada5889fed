import { describe, expect, it } from 'vitest'
import type { CommandOf } from '../../protocol/command.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { createPuppet } from '../puppet.fixture.ts'
import { openTalk, sendPrompts } from './talk.fixture.ts'

type Changes = CommandOf<'manipulate'>['changes']

const all = { limit: 1000 }

async function begin(...texts: readonly string[]) {
  const house = await openTalk()
  const session = await house.create('s')
  await sendPrompts(house, session, ...texts)
  const { sessions } = house
  const partsOf = async (index: number) => {
    const { messages } = await sessions.messages(session, { thread: null, limit: 100 })
    const message = messages[index]?.message
    return { message: message?.id ?? '', names: message?.parts.map((_, at) => `${message.id}/${at}`) ?? [] }
  }
  return { house, session, sessions, partsOf }
}

const change = ({ sessions }: House, session: SessionId, ...changes: Changes) =>
  sessions.execute({ type: 'manipulate', session, changes })

const audit = async ({ sessions }: House, session: SessionId) =>
  (await sessions.manipulations(session, all)).manipulations

const interactions = async ({ sessions }: House, session: SessionId) =>
  (await sessions.interactions(session, all)).interactions

describe('a person', () => {
  it('[X2] archives a part, and the audit has the actor, the previous validity and the effect', async () => {
    const { house, session, sessions, partsOf } = await begin('one')
    await using _ = sessions
    const { names } = await partsOf(0)
    const reply = await sessions.execute({
      type: 'manipulate',
      session,
      changes: [{ do: 'archive', parts: names, reason: 'old' }],
      by: 'ann',
    })
    expect(reply).toEqual({ manipulations: [expect.any(String)], seq: await house.journal.head(session) })
    expect(await audit(house, session)).toMatchObject([
      {
        id: reply.manipulations[0],
        kind: 'applied',
        holds: true,
        event: {
          actor: { kind: 'person', name: 'ann' },
          strategy: 'archive',
          to: 'archived',
          reason: 'old',
          parts: names,
          before: [{ part: names[0], was: 'active' }],
          effective: 'advisory',
        },
      },
    ])
  })

  it('[X2] changes a whole interaction, and the list of interactions shows it', async () => {
    const { house, session, sessions } = await begin('read /a.ts', 'two')
    await using _ = sessions
    const [first] = await interactions(house, session)
    const interaction = first?.id ?? ''
    const validity = async () =>
      (await interactions(house, session)).map(each => [each.validity, each.deleted, each.pinned])
    const still = ['active', false, false]
    await change(house, session, { do: 'archive', interaction })
    expect(await validity()).toEqual([['archived', false, false], still])
    expect(
      (await sessions.interactions(session, { ...all, validity: 'archived' })).interactions,
    ).toHaveLength(1)
    // A call and its result go together.
    const [{ event } = { event: null }] = await audit(house, session)
    expect(event).toMatchObject({
      whole: true,
      parts: [expect.any(String), expect.any(String), expect.stringMatching(/\.result$/)],
    })
    await change(house, session, { do: 'restore', interaction }, { do: 'pin', interaction })
    expect(await validity()).toEqual([['active', false, true], still])
    await change(house, session, { do: 'delete', interaction })
    expect(await validity()).toEqual([['active', true, true], still])
    await change(house, session, { do: 'undelete', interaction }, { do: 'unpin', interaction })
    expect(await validity()).toEqual([still, still])
  })

  it('[X2] restores one part of an archived interaction, which is then valid again', async () => {
    const { house, session, sessions, partsOf } = await begin('one')
    await using _ = sessions
    const [first] = await interactions(house, session)
    await change(house, session, { do: 'archive', interaction: first?.id ?? '' })
    await change(house, session, { do: 'restore', parts: (await partsOf(0)).names })
    expect(await interactions(house, session)).toMatchObject([{ validity: 'active' }])
    // The rest of it can be archived again.
    await change(house, session, { do: 'archive', interaction: first?.id ?? '' })
    expect(await interactions(house, session)).toMatchObject([{ validity: 'archived' }])
  })

  it('[X2] changes a message, and nothing else in its interaction', async () => {
    const { house, session, sessions, partsOf } = await begin('one')
    await using _ = sessions
    const { message, names } = await partsOf(0)
    await change(house, session, { do: 'invalidate', message })
    expect(await audit(house, session)).toMatchObject([{ event: { parts: names, to: 'invalidated' } }])
    expect(await interactions(house, session)).toMatchObject([{ validity: 'active' }])
  })

  it('[X8] makes several changes in one append, or none', async () => {
    const { house, session, sessions, partsOf } = await begin('one', 'two')
    await using _ = sessions
    const [one, two] = [await partsOf(0), await partsOf(2)]
    const before = await house.journal.head(session)
    let appends = 0
    const { journal } = house
    const append = journal.append.bind(journal)
    Object.assign(journal, {
      append: (...given: Parameters<typeof append>) => ((appends += 1), append(...given)),
    })
    await change(house, session, { do: 'pin', parts: one.names }, { do: 'archive', parts: two.names })
    expect(appends).toBe(1)
    expect(await house.journal.head(session)).toBe(before + 2)
    await expect(
      change(house, session, { do: 'delete', parts: one.names }, { do: 'archive', parts: two.names }),
    ).rejects.toMatchObject({
      code: 'change-refused',
      message: expect.stringContaining('it is archived') as string,
      details: { refusal: 'not-allowed' },
    })
    const lines = await audit(house, session)
    expect(lines.map(({ kind, event }) => [kind, 'strategy' in event && event.strategy])).toEqual([
      ['applied', 'pin'],
      ['applied', 'archive'],
      ['rejected', 'archive'],
    ])
  })
})

describe('a refused change', () => {
  it('[X4] of an unknown part leaves only a row in the audit', async () => {
    const { house, session, sessions } = await begin('one')
    await using _ = sessions
    await expect(change(house, session, { do: 'pin', parts: ['nothing/0'] })).rejects.toMatchObject({
      code: 'unknown-part',
      message: 'There is no part nothing/0 on this branch.',
    })
    expect(await audit(house, session)).toMatchObject([
      { id: null, kind: 'rejected', holds: false, event: { code: 'unknown-part', parts: ['nothing/0'] } },
    ])
  })

  it('[X4] is one of an interaction or a message of another session', async () => {
    const { house, session, sessions } = await begin('one')
    await using _ = sessions
    const other = await house.create('other')
    await sendPrompts(house, other, 'elsewhere')
    const [foreign] = await interactions(house, other)
    await expect(
      change(house, session, { do: 'archive', interaction: foreign?.id ?? '' }),
    ).rejects.toMatchObject({ code: 'unknown-interaction' })
    await expect(
      change(house, session, { do: 'archive', message: foreign?.messages[0]?.id ?? '' }),
    ).rejects.toMatchObject({ code: 'unknown-message' })
    expect((await audit(house, session)).map(({ event }) => 'code' in event && event.code)).toEqual([
      'outside-interaction',
      'unknown-part',
    ])
    expect(await audit(house, other)).toEqual([])
  })

  it('[X4] is one of a replaced message, which is no longer in the conversation', async () => {
    const { house, session, sessions, partsOf } = await begin('one')
    await using _ = sessions
    const { names } = await partsOf(0)
    await sessions.execute({
      type: 'prompt',
      session,
      parts: [{ type: 'text', text: 'other words' }],
      parent: null,
    })
    await sessions.whenIdle(session)
    await expect(change(house, session, { do: 'archive', parts: names })).rejects.toMatchObject({
      code: 'unknown-part',
    })
  })

  it('[X4] is one of a pinned part; in a whole it stays, and the rest is changed', async () => {
    const { house, session, sessions, partsOf } = await begin('one')
    await using _ = sessions
    const mine = await partsOf(0)
    await change(house, session, { do: 'pin', parts: mine.names })
    await expect(change(house, session, { do: 'archive', parts: mine.names })).rejects.toMatchObject({
      message: `${mine.names[0]} is pinned. Unpin it first.`,
      details: { refusal: 'pinned' },
    })
    const [first] = await interactions(house, session)
    await change(house, session, { do: 'archive', interaction: first?.id ?? '' })
    const { event } = (await audit(house, session)).at(-1) ?? {}
    expect(event).toMatchObject({ to: 'archived', parts: [expect.not.stringContaining(mine.message)] })
  })

  it('[X4] is one of a running interaction: it would not cover later output', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const slow = createPuppet({
      async act({ say }) {
        say({ t: 'begin' })
        await promise
        say({ t: 'end' })
      },
    })
    const house = await openHouse([slow])
    await using sessions = house.sessions
    const session = await house.create('s')
    await house.prompt(session, 'go')
    const [{ id: interaction, messages } = { id: '', messages: [] }] = await interactions(house, session)
    for (const what of ['archive', 'invalidate', 'delete'] as const)
      for (const aim of [{ interaction }, { message: messages[0]?.id ?? '' }])
        await expect(change(house, session, { do: what, ...aim })).rejects.toMatchObject({
          code: 'change-refused',
          message: `The interaction ${interaction} is still running. Stop it, or wait until it ends.`,
        })
    await change(house, session, { do: 'pin', interaction })
    resolve()
    await sessions.whenIdle(session)
    await change(house, session, { do: 'delete', interaction })
  })

  it('[X4] is one that repeats an earlier change', async () => {
    const { house, session, sessions, partsOf } = await begin('one')
    await using _ = sessions
    const { names, message } = await partsOf(0)
    await change(house, session, { do: 'archive', message })
    for (const what of ['archive', 'invalidate', 'undelete'] as const) {
      await expect(change(house, session, { do: what, parts: names })).rejects.toMatchObject({
        code: 'change-refused',
        details: { refusal: 'not-allowed' },
      })
      await expect(change(house, session, { do: what, message })).rejects.toMatchObject({
        code: 'change-refused',
      })
    }
  })
})

describe('rollback', () => {
  const back = (
    { sessions }: House,
    session: SessionId,
    what: Omit<CommandOf<'roll-back'>, 'type' | 'session'>,
  ) => sessions.execute({ type: 'roll-back', session, ...what })

  it('[X4] works by id, has no effect when repeated, and can be rolled back', async () => {
    const { house, session, sessions } = await begin('one')
    await using _ = sessions
    const [first] = await interactions(house, session)
    const { manipulations } = await change(house, session, { do: 'archive', interaction: first?.id ?? '' })
    const one = await back(house, session, { manipulations: [...manipulations], reason: 'a mistake' })
    expect(one).toEqual({ rollback: expect.any(String), manipulations, seq: expect.any(Number) })
    expect(await interactions(house, session)).toMatchObject([{ validity: 'active' }])
    expect(await back(house, session, { manipulations: [...manipulations] })).toEqual({
      rollback: null,
      manipulations: [],
      seq: null,
    })
    await back(house, session, { manipulations: [one.rollback ?? ''] })
    expect(await interactions(house, session)).toMatchObject([{ validity: 'archived' }])
    expect((await audit(house, session)).map(({ kind, holds }) => [kind, holds])).toEqual([
      ['applied', true],
      ['rolled-back', false],
      ['rolled-back', true],
    ])
  })

  it('[X4] works for an interaction, and back to an entry', async () => {
    const { house, session, sessions } = await begin('one', 'two')
    await using _ = sessions
    const [one, two] = (await interactions(house, session)).map(({ id }) => id)
    await change(house, session, { do: 'archive', interaction: one ?? '' })
    const { seq } = await change(house, session, { do: 'archive', interaction: two ?? '' })
    await back(house, session, { interaction: one ?? '' })
    const validity = async () => (await interactions(house, session)).map(each => each.validity)
    expect(await validity()).toEqual(['active', 'archived'])
    expect(await back(house, session, { after: seq })).toMatchObject({ rollback: null })
    await back(house, session, { after: seq - 1 })
    expect(await validity()).toEqual(['active', 'active'])
    expect(await back(house, session, { after: 0 })).toMatchObject({ rollback: null })
    expect(await back(house, session, { tool: 'Read' })).toMatchObject({ rollback: null })
  })

  it('[X4] of an unknown target is refused', async () => {
    const { house, session, sessions } = await begin('one')
    await using _ = sessions
    const before = await house.journal.head(session)
    await expect(back(house, session, { manipulations: ['m'] })).rejects.toMatchObject({
      code: 'unknown-manipulation',
    })
    await expect(back(house, session, { interaction: 'i' })).rejects.toMatchObject({
      code: 'unknown-interaction',
    })
    expect(await house.journal.head(session)).toBe(before)
  })
})

describe('an archived interaction', () => {
  it('[X2] is marked in its messages, and is not in a handed over conversation', async () => {
    const briefs: string[] = []
    const listener = createPuppet({
      name: 'listener',
      act({ say, text, brief }) {
        briefs.push(brief)
        say({ t: 'begin' })
        say({ t: 'say', text })
        say({ t: 'end' })
      },
    })
    const house = await openHouse([createPuppet(), listener])
    await using sessions = house.sessions
    const session = await house.create('s')
    await sendPrompts(house, session, 'a secret', 'hello', 'a mistake')
    const [first, , third] = await interactions(house, session)
    await change(
      house,
      session,
      { do: 'delete', interaction: first?.id ?? '' },
      { do: 'invalidate', interaction: third?.id ?? '' },
    )
    const validity = async () =>
      (await sessions.messages(session, { thread: null, limit: 100 })).messages.map(each => each.validity)
    const gone = ['archived', 'archived', 'active', 'active', 'invalidated', 'invalidated']
    expect(await validity()).toEqual(gone)
    await sessions.execute({ type: 'assign', session, agent: 'listener' })
    await sendPrompts(house, session, 'what do you know?')
    expect(briefs[0]).toContain('hello')
    expect(briefs[0]).not.toContain('secret')
    expect(briefs[0]).not.toContain('mistake')
    await sessions.execute({ type: 'roll-back', session, after: 0 })
    expect((await validity()).slice(0, 6)).toEqual(gone.map(() => 'active'))
  })

  it('[X2] that was archived by an older version is restored, not rolled back', async () => {
    const { house, session, sessions } = await begin('one')
    await using _ = sessions
    const [first] = await interactions(house, session)
    const interaction = first?.id ?? ''
    const by = { by: 'ann', reason: 'old' }
    const { seq } = await sessions.execute({
      type: 'set-validity',
      session,
      interaction,
      to: 'archived',
      ...by,
    })
    await expect(
      sessions.execute({ type: 'roll-back', session, manipulations: [`validity-${seq}`] }),
    ).rejects.toMatchObject({ code: 'change-refused' })
    expect(await sessions.execute({ type: 'roll-back', session, after: 0 })).toMatchObject({ rollback: null })
    expect(await interactions(house, session)).toMatchObject([{ validity: 'archived' }])
    await change(house, session, { do: 'restore', interaction })
    expect(await interactions(house, session)).toMatchObject([{ validity: 'active' }])
  })
})
