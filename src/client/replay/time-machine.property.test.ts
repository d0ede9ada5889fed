import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { session as anySession } from '../../projections/session.arbitrary.ts'
import type { Entry } from '../../protocol/entry.ts'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import { createReplayFold, type ReplayView } from './replay-fold.ts'
import { createTimeMachine, createKeyframes } from './time-machine.ts'

const never = new AbortController().signal

/** What is shown of messages; what else is kept with them depends on nothing else. */
const shown = ({ messages, ...view }: ReplayView) => ({
  ...view,
  messages: Array.from(messages, ([thread, all]) => [
    thread,
    all.map(({ message, interaction, firstSeq, validity }) => ({ message, interaction, firstSeq, validity })),
  ]),
})

function fromScratch(entries: readonly Entry[]): ReplayView {
  const fold = createReplayFold()
  entries.forEach(entry => fold.apply(entry))
  return fold.view()
}

const pagesOf = (entries: readonly Entry[]) => ({
  async *between(after: number, upTo: number) {
    // In small pages, as from a server that gives fewer than it was asked for.
    for (let at = after; at < upTo; at += 7) yield entries.slice(at, Math.min(at + 7, upTo))
  },
  at: async (seq: number) => entries[seq - 1],
  head: () => entries.length,
  grown: () => {},
})

describe('createTimeMachine', () => {
  it('[W6] shows at any entry the same as a fold of all entries up to it, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        anySession({ answers: true, edits: true, owned: true }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 2, max: 20 }),
        async (told, places, spacing, most) => {
          const entries = JSON.parse(JSON.stringify(told)) as readonly Entry[]
          const keyframes = createKeyframes(spacing, most)
          const machine = createTimeMachine(pagesOf(entries), keyframes)
          for (const place of places) {
            const seq = place % (entries.length + 1)
            const view = await machine.goTo(seq, never)
            expect(view.seq).toBe(seq)
            expect(shown(view)).toEqual(shown(fromScratch(entries.slice(0, seq))))
            expect(keyframes.count()).toBeLessThanOrEqual(most)
          }
        },
      ),
      { numRuns: propertyRuns(60), endOnFailure: true },
    )
  })
})
