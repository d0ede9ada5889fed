import fc from 'fast-check'
import { expect, it } from 'vitest'
import { session } from '../projections/session.arbitrary.ts'
import { created, journal, spoke, start, started, text } from '../projections/journal.fixture.ts'
import type { Chunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import type { Event } from '../protocol/event.ts'
import type { ConnectionId } from '../protocol/ids.ts'
import { propertyRuns } from '../protocol/property-runs.fixture.ts'
import { advance } from './advance.ts'
import { expectSameAsFolded } from './advance.fixture.ts'
import type { SessionState } from './session-state.ts'

it('[J5] many entries at once give the same state as one by one', () => {
  fc.assert(
    fc.property(session({ answers: true }), entries => {
      let state: SessionState | null = null
      for (const entry of entries) ({ state } = advance(state, [entry]))
      expect(advance(null, entries).state).toEqual(state)
    }),
    { numRuns: propertyRuns(60) },
  )
})

/** Splits each entry of an agent into one entry per chunk, as an agent that streams would write them. */
const streamed = (entries: readonly Entry[]): readonly Entry[] =>
  entries
    .flatMap(({ event, ...entry }) =>
      event.type === 'agent-spoke' && event.chunks.length > 1
        ? event.chunks.map(chunk => ({ ...entry, event: { ...event, chunks: [chunk] } }))
        : { ...entry, event },
    )
    .map((entry, index) => ({ ...entry, seq: index + 1, at: 1000 + index }))

it('[J5] the shortcut for text gives the same state and the same changes as the full fold', () => {
  let texts = 0
  fc.assert(
    fc.property(session({ answers: true, edits: true }), entries => {
      texts += expectSameAsFolded(streamed(entries))
    }),
    { numRuns: propertyRuns(60) },
  )
  expect(texts).toBeGreaterThan(0)
})

it('[J5] text gives the totals of a new agent session their name', () => {
  const introduction: Chunk = {
    type: 'data-session',
    data: { agent: 'scripted', agentSession: 'native', model: null, cwd: null },
  }
  const connected: Event = {
    type: 'agent-connected',
    connection: 'c' as ConnectionId,
    agent: 'scripted',
    process: null,
    resumed: null,
  }
  const [first, ...others] = text('t', 'Hello')
  const entries = journal(
    created(),
    started('i'),
    spoke('i', null, introduction, start('m'), ...(first ? [first] : [])),
    connected,
    ...others.map(chunk => spoke('i', null, chunk)),
  )
  expect(expectSameAsFolded(entries)).toBe(1)
})
