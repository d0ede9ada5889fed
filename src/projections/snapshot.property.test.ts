import * as fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { scripted } from '../agents/scripted/index.ts'
import type { Entry } from '../protocol/entry.ts'
import type { ConnectionId } from '../protocol/ids.ts'
import { openParts } from '../protocol/open-parts.ts'
import { propertyRuns } from '../protocol/property-runs.fixture.ts'
import { answered, connected, created, ended, exited, journal, said, started } from './journal.fixture.ts'
import { session } from './session.arbitrary.ts'
import { expectSameView, snapshotOf } from './snapshot.fixture.ts'

const recordings = join(import.meta.dirname, '../agents/scripted/recordings')

/** A recording as a session: an entry for each chunk, every question answered, what is left open closed at the exit. */
function play(name: string): readonly Entry[] {
  let state = scripted.initial('c' as ConnectionId)
  const chunks = readFileSync(join(recordings, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .flatMap(text => {
      const [next, meant] = scripted.translate(state, { from: 'agent', text })
      state = next
      return meant
    })
  const open = chunks.reduce(openParts.apply, openParts.initial)
  const rest = openParts.closeAll(open, { errorText: 'Gone.', reason: 'failed' })
  const events = chunks.flatMap(each => [
    said('i', [each]),
    ...(each.chunk.type === 'tool-approval-request'
      ? [answered(each.chunk.approvalId, { input: { command: 'ls' } })]
      : []),
  ])
  return journal(created(), connected, started('i'), ...events, exited(...rest), ended('i', 'failed'))
}

const place = fc.nat(10_000)

/** Where a snapshot is taken, and how far the view then goes: mostly not to the end. */
function stretch(entries: readonly Entry[], from: number, to: number): readonly [cut: number, end: number] {
  const cut = 1 + (from % entries.length)
  return [cut, cut + (to % (entries.length - cut + 1))]
}

describe('createSessionView from a snapshot', () => {
  it.each(readdirSync(recordings))('[T4] continues from any entry of the recording %s', name => {
    const entries = play(name)
    // Every entry when properties draw their full number of cases, else every second.
    const step = Math.round(2 / propertyRuns(2))
    for (let cut = 1; cut < entries.length; cut += step) {
      const snapshot = snapshotOf(entries.slice(0, cut))
      for (const more of [1, 5, entries.length]) expectSameView(snapshot, entries.slice(0, cut + more))
    }
  })

  it('[T4] continues from any entry of any session as if it had seen all entries', () => {
    fc.assert(
      fc.property(session({ answers: true }), place, place, (entries, from, to) => {
        const [cut, end] = stretch(entries, from, to)
        expectSameView(snapshotOf(entries.slice(0, cut)), entries.slice(0, end))
      }),
      { numRuns: propertyRuns(150) },
    )
  })

  it('[T4] continues from the last messages, despite chunks for older ones and edits', () => {
    fc.assert(
      fc.property(
        session({ answers: true, edits: true, owned: true }),
        place,
        place,
        fc.integer({ min: 1, max: 10 }),
        (entries, from, to, limit) => {
          const [cut, end] = stretch(entries, from, to)
          expectSameView(snapshotOf(entries.slice(0, cut), limit), entries.slice(0, end))
        },
      ),
      { numRuns: propertyRuns(150) },
    )
  })
})
