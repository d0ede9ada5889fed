import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Opening } from '../agents/agent.ts'
import { loadAgents } from '../agents/index.ts'
import { sessionState, type SessionState } from '../catalogue/session-state.ts'
import type { Entry } from '../protocol/entry.ts'
import type { ConnectionId } from '../protocol/ids.ts'
import { openHouse } from './house.fixture.ts'
import { beginTranslation, translateLine, type TranslationState } from './translation/translate-line.ts'
import { agentNamed } from './find-agent.ts'
import { openingOf, totalsFor } from './translation/opening.ts'
import { createPuppet } from './puppet.fixture.ts'

const agents = await loadAgents()

/**
 * Journals of real sessions, recorded with the real programs and a fake model. The model's n-th request takes 1000 + n input
 * and 40 + n output tokens, 7 from the cache and 3 to it. Lines are kept; chunks are made again here.
 */
const folder = join(import.meta.dirname, 'recordings')
const named = new Map(agents.map(agent => [agent.name, agent]))

/** Translates a journal again, as if its lines came now, and returns the session's final state. */
function relive(name: string): SessionState {
  const lines = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  const translations = new Map<ConnectionId, TranslationState>()
  let state: SessionState | null = null
  for (const line of lines)
    state = sessionState.apply(state, translateAgain(translations, state, JSON.parse(line)))
  if (state === null) throw new Error('The recording is empty.')
  return state
}

function translateAgain(
  translations: Map<ConnectionId, TranslationState>,
  state: SessionState | null,
  entry: Entry,
): Entry {
  const { event } = entry
  if (event.type === 'agent-connected') {
    const totals = totalsFor(state, event.resumed)
    const connected = { ...event, ...(totals !== null && { totals }) }
    const agent = agentNamed(named, event.agent)
    const translation = beginTranslation(agent, event.connection, { opening: openingOf(connected) })
    translations.set(event.connection, translation)
    return { ...entry, event: connected }
  }
  if (event.type !== 'agent-spoke' && event.type !== 'host-spoke') return entry
  const translation = translations.get(event.connection)
  if (translation === undefined) throw new Error('A line of an unknown connection.')
  const [next, chunks] = translateLine(translation, event.type === 'agent-spoke' ? 'agent' : 'host', event)
  translations.set(event.connection, next)
  return { ...entry, event: { ...event, chunks } }
}

/** The usage of the requests `first` to `last`. */
function requests(first: number, last: number, but: readonly number[] = []) {
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at).filter(
    n => !but.includes(n),
  )
  const sum = (one: (n: number) => number) => numbers.reduce((all, n) => all + one(n), 0)
  return {
    input: sum(n => 1000 + n),
    output: sum(n => 40 + n),
    cacheRead: sum(() => 7),
    cacheWrite: sum(() => 3),
  }
}

describe('the usage of a session is the usage of its model requests', () => {
  it('[P7] background subagents of Claude Code that report while another prompt runs are counted', () => {
    const { summary } = relive('claude-code-background-subagents')
    expect(summary.tokens).toEqual(requests(1, 16))
    expect(summary.cost).toBeCloseTo(0.0803264, 9)
  })

  it('[P7] a session of Claude Code that is resumed by an older version is not counted twice', () => {
    const { summary } = relive('claude-code-other-versions')
    expect(summary.tokens).toEqual(requests(1, 4))
    expect(summary.cost).toBeCloseTo(0.0195056, 9)
  })

  it('[P7] the first prompt after each restart of an ACP agent costs what its total grew by', () => {
    const { summary } = relive('claude-agent-acp-restarts')
    expect(summary.cost).toBeCloseTo(0.04982, 9)
    // Requests 4, 5, 10 and 11 were made for titles while the agent was stopped: no line reports their tokens.
    expect(summary.tokens).toEqual(requests(1, 12, [4, 5, 10, 11]))
  })
})

it('[P7] [J7] the next connection gets the totals that the agent reported, and they are in the journal', async () => {
  const totals = { tokens: null, cost: 0.25 }
  const finish = { type: 'finish', messageMetadata: { sessionTotals: totals } } as const
  const ends = [{ type: 'finish-step' } as const, finish]
  const puppet = createPuppet({
    act: ({ say }) => {
      say({ t: 'begin', agentSession: 'theirs' })
      say({ t: 'chunks', chunks: ends.map(chunk => ({ thread: null, chunk })) })
    },
  })
  const openings: (Opening | undefined)[] = []
  const initial: typeof puppet.initial = (connection, opening) => {
    openings.push(opening)
    return puppet.initial(connection)
  }
  const house = await openHouse([{ ...puppet, initial }])
  const session = await house.create()
  await house.prompt(session, 'one')
  await house.sessions.whenIdle(session)
  await house.sessions[Symbol.asyncDispose]()
  const later = await house.reopen()
  await using sessions = later.sessions
  await later.prompt(session, 'two')
  await sessions.whenIdle(session)
  expect(openings).toEqual([undefined, { totals }])
  expect(await later.events(session, 'agent-connected')).toMatchObject([
    { resumed: null },
    { resumed: 'theirs', totals },
  ])
})
