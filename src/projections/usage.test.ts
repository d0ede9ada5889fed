import { describe, expect, it } from 'vitest'
import type { Chunk } from '../protocol/chunk.ts'
import type { Event } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import { foldEntries } from './fold.ts'
import { created, ended, finish, journal, spoke, start, started } from './journal.fixture.ts'
import { createUsage } from './usage.ts'

const used = (input: number, cost: number | null, model: string | null = 'big'): Chunk => ({
  type: 'data-usage',
  data: { tokens: { input, output: 1, cacheRead: 0, cacheWrite: 0 }, cost, model },
})
const finished = (cost: number): Chunk => ({
  type: 'finish',
  finishReason: 'stop',
  messageMetadata: { cost, tokens: { input: 7, output: 2 }, duration: 5, reason: 'finished' },
})
const spent = (input: number, output: number, cost: number | null) => ({
  tokens: { input, output, cacheRead: 0, cacheWrite: 0 },
  cost,
})

describe('createUsage', () => {
  it('[J6] counts the last usage of each message once, in every thread', () => {
    const usage = foldEntries(
      createUsage(),
      journal(
        created(),
        started('i'),
        spoke('i', null, start('m'), used(1, 0.5)),
        spoke('i', 'sub', start('s'), used(10, 0.25, 'small'), finish),
        spoke('i', null, used(2, 1), finish),
        ended('i'),
        started('j'),
        spoke('j', null, start('m'), used(3, 1.5), finish),
        spoke('j', null, start('n'), used(100, null, null), finish),
      ),
    )
    expect(usage.total).toEqual(spent(113, 3, 1.75))
    expect([...usage.interactions]).toEqual([
      ['i', spent(13, 2, 1.75)],
      ['j', spent(100, 1, null)],
    ])
    expect([...usage.models]).toEqual([
      ['big', spent(3, 1, 1.5)],
      ['small', spent(10, 1, 0.25)],
      [null, spent(100, 1, null)],
    ])
  })

  it('[P7] falls back to the usage at the end of a message', () => {
    const entries = (...chunks: readonly Chunk[]) =>
      journal(created(), started('i'), spoke('i', null, start('m'), ...chunks))
    expect(foldEntries(createUsage(), entries(finished(2))).total).toEqual(spent(7, 2, 2))
    expect(foldEntries(createUsage(), entries(used(1, 1), finished(2))).total).toEqual(spent(1, 1, 1))
    expect(foldEntries(createUsage(), entries(finish)).total).toEqual(spent(0, 0, null))
  })

  it('[X5] does not count usage that a branch copied from another session', () => {
    const branched: Event = {
      type: 'session-branched',
      from: 'other' as SessionId,
      message: 'm',
      seq: 3,
      chunks: [],
    }
    const copied = spoke('i', null, start('m'), used(1, 0.5), finish)
    const own = spoke('j', null, start('n'), used(2, 0.25), finish)
    const entries = journal(created(), started('i'), copied, branched, started('j'), own)
    expect(foldEntries(createUsage(), entries.slice(0, 4)).total).toEqual(spent(0, 0, null))
    expect(foldEntries(createUsage(), entries).total).toEqual(spent(2, 1, 0.25))
  })

  it('[W6] has no model for an agent that has not reported one', () => {
    const told: Chunk = {
      type: 'data-session',
      data: { agent: 'scripted', agentSession: null, model: 'small', cwd: null },
    }
    const usage = foldEntries(
      createUsage(),
      journal(
        created(),
        started('i'),
        spoke('i', null, start('m'), told, used(1, null, null), finish),
        ended('i'),
        { ...started('j'), agent: 'codex' },
        spoke('j', null, start('n'), used(2, null, null), finish),
      ),
    )
    expect([...usage.models]).toEqual([
      ['small', spent(1, 1, null)],
      [null, spent(2, 1, null)],
    ])
  })

  it('does not count the totals in a subagent part', () => {
    const part: Chunk = {
      type: 'data-subagent',
      id: 'c',
      data: {
        agent: 'a',
        description: 'd',
        status: 'completed',
        toolCalls: 1,
        tokens: 99,
        cost: 9,
        lastWords: null,
      },
    }
    const entries = journal(created(), started('i'), spoke('i', null, start('m'), part, finish))
    expect(foldEntries(createUsage(), entries).total).toEqual(spent(0, 0, null))
  })
})
