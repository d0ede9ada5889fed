import { describe, expect, it } from 'vitest'
import type { Chunk, Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Event } from '../protocol/event.ts'
import { totalsAfter } from './session-totals.ts'
import { noSpending, spend, totalSpent } from './spending.ts'

const used = (input: number, cost: number | null): Chunk => ({
  type: 'data-usage',
  data: { tokens: { input, output: 0, cacheRead: 0, cacheWrite: 0 }, cost, model: null },
})
const start = (messageId: string): Chunk => ({ type: 'start', messageId })
const finish = (messageMetadata = {}): Chunk => ({ type: 'finish', finishReason: 'stop', messageMetadata })

/** Input tokens and cost after some chunks of one thread. */
function spentAfter(chunks: readonly Chunk[], thread: Thread = null) {
  const { tokens, cost } = totalSpent(
    chunks.reduce((spending, chunk) => spend(spending, { thread, chunk }), noSpending),
  )
  return [tokens.input, cost]
}

describe('what a session has used', () => {
  it('[P7] a usage part takes precedence over the end of the message', () => {
    const rough = finish({ tokens: { input: 99 }, cost: 9 })
    expect(spentAfter([start('m'), rough])).toEqual([99, 9])
    expect(spentAfter([start('m'), used(5, 1), rough])).toEqual([5, 1])
  })

  it('[J6] a reopened message counts once, with its last usage', () => {
    const first = [start('m'), used(5, 1), finish()]
    expect(spentAfter([...first, start('m'), finish()])).toEqual([5, 1])
    expect(spentAfter([...first, start('m'), used(8, 2), finish()])).toEqual([8, 2])
  })

  it('[J6] all messages count', () => {
    const messages = Array.from({ length: 40 }, (_, at) => [start(`m${at}`), used(1, 0.5), finish()])
    expect(spentAfter(messages.flat())).toEqual([40, 20])
  })
})

describe('the totals that an agent reports', () => {
  const ends = (thread: Thread, cost: number) => ({ thread, chunk: finish({ sessionTotals: { cost } }) })
  const saidBy = (...chunks: readonly ThreadChunk[]) =>
    ({ type: 'agent-message', chunks }) as unknown as Event
  const connected = (facts: object = {}) => ({ type: 'agent-connected', resumed: null, ...facts }) as Event

  it('[P7] are those of the main conversation, never of a subagent', () => {
    const totals = totalsAfter(null, saidBy(ends(null, 2), ends('task', 7)), 'theirs')
    expect(totals).toEqual({ agentSession: 'theirs', tokens: null, cost: 2 })
    expect(totalsAfter(totals, saidBy(ends('task', 9)), 'theirs')).toBe(totals)
    expect(totalsAfter(null, saidBy(ends(null, 2)), null)).toBeNull()
  })

  it('[P7] are zero for a session that the agent began, even if its first answer was killed', () => {
    const begun = totalsAfter(null, connected(), null)
    const named = totalsAfter(begun, saidBy(), 'theirs')
    expect(named).toEqual({ agentSession: 'theirs', tokens: null, cost: 0 })
    expect(totalsAfter(named, connected({ resumed: 'theirs' }), 'theirs')).toMatchObject(named ?? {})
  })

  it('[P7] keep the totals from before the session was continued, in case the agent is killed after that', () => {
    const two = totalsAfter(null, saidBy(ends(null, 2)), 'theirs')
    const continued = totalsAfter(two, connected({ resumed: 'theirs' }), 'theirs')
    const three = totalsAfter(continued, saidBy(ends(null, 3)), 'theirs')
    expect(three).toEqual({
      agentSession: 'theirs',
      tokens: null,
      cost: 3,
      earlier: [{ tokens: null, cost: 2 }],
    })
    expect(totalsAfter(three, saidBy(ends(null, 1)), 'other')).toEqual({
      agentSession: 'other',
      tokens: null,
      cost: 1,
    })
  })

  it('[P7] are unknown for a session that began elsewhere', () => {
    for (const facts of [{ resumed: 'theirs' }, { forked: 'theirs' }, { readFrom: 'a.jsonl' }])
      expect(totalsAfter(totalsAfter(null, connected(facts), null), saidBy(), 'theirs')).toBeNull()
  })
})
