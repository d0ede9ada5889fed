import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../protocol/property-runs.fixture.ts'
import type { Fold } from './fold.ts'
import { foldEntries } from './fold.ts'
import { createInteractions } from './interactions.ts'
import { call, created, finish, journal, output, spoke, start, started, text } from './journal.fixture.ts'
import { createSessionView } from './session-view.ts'
import { session } from './session.arbitrary.ts'
import { createToolCalls } from './tool-calls.ts'
import { cpuTime } from './cpu-time.fixture.ts'

const folds: Readonly<Record<string, () => Fold<unknown>>> = {
  createSessionView,
  createInteractions,
  createToolCalls,
}

describe('createSessionView', () => {
  it.each(Object.keys(folds))('[P6] %s gives the same view whether or not it is read in between', name => {
    const create = folds[name] ?? createSessionView
    fc.assert(
      fc.property(session({ answers: true }), fc.integer({ min: 1, max: 5 }), (entries, every) => {
        const fold = create()
        for (const entry of entries) {
          fold.apply(entry)
          if (entry.seq % every === 0) fold.view()
        }
        expect(fold.view()).toEqual(foldEntries(create(), entries))
      }),
      { numRuns: propertyRuns(30) },
    )
  })

  it('[C3] changes only what an entry changes', () => {
    const view = createSessionView()
    const entries = journal(
      created(),
      started('i'),
      spoke('i', null, start('m'), ...text('t', 'Hi')),
      spoke('i', null, call('c')),
      { type: 'session-archived' },
    )
    const before = foldEntries(view, entries.slice(0, 3))
    const after = foldEntries(view, entries.slice(3, 4))
    expect(after).not.toBe(before)
    expect({ ...after, messages: null }).toEqual({ ...before, messages: null })
    for (const name of ['approvals', 'todos', 'usage', 'status', 'subagents', 'queue'] as const)
      expect(after[name]).toBe(before[name])
    expect(foldEntries(view, entries.slice(4))).toBe(after)
  })

  it('[X10] costs the same for each entry in a session of any length', () => {
    const entriesOf = (steps: number) =>
      journal(
        created(),
        started('i'),
        spoke('i', null, start('m')),
        ...Array.from({ length: steps }, (_, index) =>
          spoke(
            'i',
            null,
            { type: 'start-step' },
            ...text(`t${index}`, 'Look'),
            call(`c${index}`),
            output(`c${index}`),
          ),
        ),
        spoke('i', null, finish),
      )
    const short = timeOf(entriesOf(1_000))
    const long = timeOf(entriesOf(8_000))
    // Linear is 8 times; quadratic would be 64.
    expect(long / short).toBeLessThan(24)
  })
})

const timeOf = (entries: ReturnType<typeof journal>) =>
  cpuTime(() => void foldEntries(createSessionView(), entries))
