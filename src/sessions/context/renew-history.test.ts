import { describe, expect, it } from 'vitest'
import type { HistoryEdit, OwnHistory } from '../../agents/agent.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { createPuppet, type Act } from '../puppet.fixture.ts'
import { readChunks, sendPrompts, toolChunks } from './talk.fixture.ts'

/** Reads files, with call ids from the prompt: `read PATH CALL`. */
const obey: Act = ({ say, text }) => {
  say({ t: 'begin', agentSession: 'own' })
  const [, path, call] = /^read (\S+) (\S+)$/.exec(text) ?? []
  if (path === undefined || call === undefined) say({ t: 'say', text })
  else say({ t: 'chunks', chunks: readChunks(call, path) })
  say({ t: 'end' })
}

interface Written {
  readonly session: string
  readonly edits: readonly HistoryEdit[]
  readonly thoughts: readonly string[]
}

/** A house with an agent whose history only records the changes made to it. */
async function openOwn(
  more: Partial<OwnHistory> = {},
  calls: ReadonlySet<string> | null = null,
  act: Act = obey,
) {
  const written: Written[] = []
  const ownHistory: OwnHistory = {
    thinking: () => 'bound',
    async open({ agentSession }) {
      return {
        calls,
        async write(edits, thoughts) {
          written.push({ session: agentSession, edits, thoughts })
        },
      }
    },
    ...more,
  }
  const context = act === obey ? 'next-boundary' : 'applied'
  const agent = { ...createPuppet({ act }), context, ownHistory } as const
  return { house: await openHouse([agent]), written }
}

async function create({ sessions }: House, options?: { context: string }): Promise<SessionId> {
  const wish = {
    type: 'create',
    agent: 'puppet',
    cwd: '/',
    ...(options !== undefined && { options }),
  } as const
  return (await sessions.execute(wish)).session
}

const several = ['read /a.ts one', 'read /a.ts two', 'well', 'so', 'then'] as const

/** Ends the agent and opens the sessions again; the next prompt is a boundary. */
async function atBoundary(house: House, session: SessionId, ...texts: readonly string[]): Promise<House> {
  await house.sessions[Symbol.asyncDispose]()
  const next = await house.reopen()
  await sendPrompts(next, session, ...texts)
  return next
}

/** Reads a file, with call ids from the prompt, and asks before each request, as OpenCode's plugin does. */
const asking: Act = async ({ say, text, options }) => {
  say({ t: 'begin', agentSession: 'own' })
  for (const call of text.split(' ').slice(1)) {
    say({ t: 'chunks', chunks: readChunks(call, '/a.ts') })
    await options.renew?.('own', [call])
  }
  say({ t: 'end' })
}

describe('an agent that asks before each request', () => {
  it('[X6] gets the changes of the policy in the very next request, and only new ones are saved', async () => {
    const { house, written } = await openOwn({ thinking: () => 'free' }, null, asking)
    await using _ = house.sessions
    const session = await create(house)
    await sendPrompts(house, session, 'read one', 'read two')
    expect(written.map(({ edits }) => edits.map(({ call, how }) => [call, how]))).toEqual([
      [],
      [['two', 'rewrite']],
    ])
    expect(written[1]?.edits[0]?.text).toMatch(/^\[40 lines: same as lines 1-40 of Read \/a\.ts, \w+\]$/)
    const compiled = await house.events(session, 'context-compiled')
    expect(compiled.map(({ changes }) => changes.map(({ decision }) => decision?.as))).toEqual([
      ['reference'],
    ])
    const applied = await house.events(session, 'manipulation-applied')
    expect(applied.map(({ strategy, effective }) => [strategy, effective])).toEqual([
      ['covered', 'applied'],
      ['duplicate', 'applied'],
    ])
    await house.sessions.execute({ type: 'roll-back', session, after: 0 })
    await sendPrompts(house, session, 'well three')
    expect(written.at(-1)?.edits.map(({ call }) => call)).toEqual(['three'])
  })

  it('[X6] waits for a missing result only for a limited time, and never twice for the same', async () => {
    const waits: number[] = []
    const act: Act = async ({ say, options }) => {
      say({ t: 'begin', agentSession: 'own' })
      const before = performance.now()
      await options.renew?.('own', ['lost'])
      waits.push(performance.now() - before)
      say({ t: 'end' })
    }
    const { house } = await openOwn({}, null, act)
    await using _ = house.sessions
    const session = await create(house)
    await sendPrompts(house, session, 'one', 'two')
    const [first = 0, second = Infinity] = waits
    expect(first).toBeGreaterThan(900)
    expect(second).toBeLessThan(first)
  })
})

describe('an agent with its own history that can be changed', () => {
  it('[X6] has the changes of the policy in it when it resumes', async () => {
    const { house, written } = await openOwn()
    const session = await create(house)
    await sendPrompts(house, session, ...several)
    expect(written).toEqual([])
    const next = await atBoundary(house, session, 'go on')
    await using _ = next.sessions
    const [first, ...more] = written
    expect(more).toEqual([])
    expect(first).toMatchObject({ session: 'own', edits: [{ call: 'one', how: 'replace' }] })
    const [edit] = first?.edits ?? []
    expect(edit?.text).toMatch(/^\[Read \/a\.ts cleared: read again later\. If needed, do it again\.\]$/)
    const [compiled] = await next.events(session, 'context-compiled')
    expect(compiled?.changes).toMatchObject([{ decision: { as: 'placeholder', text: edit?.text } }])
    const [applied] = await next.events(session, 'manipulation-applied')
    expect(applied).toMatchObject({ strategy: 'covered', effective: 'next-boundary' })
    // The record is saved before the agent starts.
    const types = (await next.entries(session)).map(({ event }) => event.type)
    expect(types.indexOf('context-compiled')).toBeLessThan(types.lastIndexOf('agent-connected'))
  })

  it('[X6] has the original again at the boundary after a rollback', async () => {
    const { house, written } = await openOwn()
    const session = await create(house)
    await sendPrompts(house, session, ...several)
    const next = await atBoundary(house, session, 'go on')
    await next.sessions.execute({ type: 'roll-back', session, after: 0 })
    const last = await atBoundary(next, session, 'and on')
    expect(written.map(({ edits }) => edits.length)).toEqual([1, 0])
    const third = await atBoundary(last, session, 'and on')
    await using _ = third.sessions
    expect(written.map(({ edits }) => edits.length)).toEqual([1, 0, 0])
    expect(await third.events(session, 'context-compiled')).toHaveLength(2)
  })

  it('[X6] keeps results cleared at later boundaries', async () => {
    const { house, written } = await openOwn()
    const session = await create(house)
    await sendPrompts(house, session, ...several)
    const next = await atBoundary(house, session, 'go on')
    const last = await atBoundary(next, session, 'and on')
    await using _ = last.sessions
    expect(written[1]).toEqual(written[0])
    expect((await last.events(session, 'context-compiled')).at(-1)?.changes).toEqual([])
  })

  it('[X6] is not changed when the profile is off', async () => {
    const { house, written } = await openOwn()
    const session = await create(house, { context: 'off' })
    await sendPrompts(house, session, ...several)
    const next = await atBoundary(house, session, 'go on')
    await using _ = next.sessions
    expect(written).toEqual([])
    expect(await next.events(session, 'context-compiled')).toEqual([])
    expect(await next.events(session, 'manipulation-applied')).toEqual([])
  })

  it('[X6] is not changed when it is not as expected, which is logged; the agent continues', async () => {
    const open: OwnHistory['open'] = async () => {
      throw new Error('It is gone.')
    }
    const { house } = await openOwn({ open })
    const session = await create(house)
    await sendPrompts(house, session, ...several)
    const next = await atBoundary(house, session, 'go on')
    await using _ = next.sessions
    const [logged] = await next.events(session, 'agent-logged')
    expect(logged?.text).toBe('The history of Puppet was not changed: It is gone.\n')
    expect((await next.events(session, 'interaction-ended')).at(-1)?.outcome).toBe('finished')
    expect(await next.events(session, 'context-compiled')).toEqual([])
  })

  it('[X6] is not recorded as changed when writing failed', async () => {
    const open: OwnHistory['open'] = async () => ({
      calls: null,
      write: () => Promise.reject(new Error('The disk is full.')),
    })
    const { house } = await openOwn({ open })
    const session = await create(house)
    await sendPrompts(house, session, ...several)
    const next = await atBoundary(house, session, 'go on')
    await using _ = next.sessions
    expect(await next.events(session, 'context-compiled')).toEqual([])
    expect((await next.events(session, 'interaction-ended')).at(-1)?.outcome).toBe('finished')
  })

  it('[X6] loses the results that a person removed or archived, if it has them', async () => {
    const { house, written } = await openOwn({}, new Set(['one', 'two']))
    const session = await create(house)
    await sendPrompts(house, session, 'read /a.ts one', 'read /b.ts two', 'read /c.ts three', 'so')
    const { interactions } = await house.sessions.interactions(session, { limit: 10 })
    const [first = '', second = '', third = ''] = interactions.map(({ id }) => id)
    await house.sessions.execute({
      type: 'manipulate',
      session,
      changes: [
        { do: 'archive', interaction: first },
        { do: 'delete', interaction: second },
        { do: 'archive', interaction: third },
      ],
    })
    const next = await atBoundary(house, session, 'go on')
    await using _ = next.sessions
    expect(written.at(-1)?.edits.map(({ call }) => call)).toEqual(['one', 'two'])
    const [compiled] = await next.events(session, 'context-compiled')
    expect(compiled?.changes.map(({ decision }) => decision?.as)).toEqual(['placeholder', 'placeholder'])
  })

  it('[X6] gets the shortest placeholder for an archived short result: it has no recall', async () => {
    const short: Act = ({ say, text }) => {
      say({ t: 'begin', agentSession: 'own' })
      if (text === 'run') say({ t: 'chunks', chunks: toolChunks('one', 'Bash', { command: 'ls' }, 'ok') })
      say({ t: 'end' })
    }
    const { house, written } = await openOwn({}, null, short)
    const session = await create(house)
    await sendPrompts(house, session, 'run', 'so')
    const { interactions } = await house.sessions.interactions(session, { limit: 10 })
    const interaction = interactions[0]?.id ?? ''
    await house.sessions.execute({ type: 'manipulate', session, changes: [{ do: 'archive', interaction }] })
    const next = await atBoundary(house, session, 'go on')
    await using _ = next.sessions
    expect(written.at(-1)?.edits).toMatchObject([{ call: 'one', how: 'replace', text: '[cleared]' }])
  })
})
