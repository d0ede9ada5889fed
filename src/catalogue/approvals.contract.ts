import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createApprovals } from '../projections/approvals.ts'
import { foldEntries } from '../projections/fold.ts'
import { session } from '../projections/session.arbitrary.ts'
import { chunksOf } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import { propertyRuns } from '../protocol/property-runs.fixture.ts'
import { catchUpInPart, withCatalogue, type House } from './catalogue.fixture.ts'
import { catchUp } from './catch-up.ts'
import { readApprovalPage, type SessionApproval } from './read-approval-page.ts'
import type { OpenCatalogue } from './test-catalogue.ts'

/** A clock that never gives the same time twice. */
function clock(): () => number {
  let at = 0
  return () => (at += 1)
}

async function readAll(house: House, status?: 'pending' | 'settled') {
  const all: SessionApproval[] = []
  let cursor: string | undefined
  do {
    const filter = { limit: 2, ...(status && { status }), ...(cursor !== undefined && { cursor }) }
    const page = await readApprovalPage(house, filter)
    all.push(...page.approvals)
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return all
}

/** A session that stops anywhere after its beginning, often while something is asked. */
const stopped = fc
  .tuple(session({ answers: true }), fc.nat(), fc.boolean())
  .map(([entries, place, isAsking]) => {
    const ends = entries.flatMap(({ event }, at) => {
      const asks = chunksOf(event).some(({ chunk }) => chunk.type === 'tool-approval-request')
      return at > 0 && (asks || !isAsking) ? at + 1 : []
    })
    return entries.slice(0, ends[place % Math.max(1, ends.length)])
  })

/** The approvals in a catalogue are those of the journal. */
export function describeApprovals(name: string, open: OpenCatalogue): void {
  describe(`${name} catalogue`, () => {
    it('[T1] the approvals across sessions are those of each session, newest first, for any page size', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(stopped, { maxLength: 3 }), sessions =>
          withCatalogue(
            open,
            async house => {
              const expected: SessionApproval[] = []
              for (const [index, entries] of sessions.entries()) {
                const id = `s${index}` as SessionId
                await house.journal.create(
                  id,
                  entries.map(({ event }) => event),
                )
                await catchUpInPart(house, id)
                await catchUp(house, id)
                const saved = await house.journal.read(id, 0, 10_000)
                expected.unshift(
                  ...foldEntries(createApprovals(), saved)
                    .toReversed()
                    .map(each => ({ ...each, session: id })),
                )
              }
              const [all, pending, settled] = await Promise.all([
                readAll(house),
                readAll(house, 'pending'),
                readAll(house, 'settled'),
              ])
              const places = (approvals: readonly SessionApproval[]) =>
                approvals.map(({ requested }) => requested.at)
              expect(all).toHaveLength(expected.length)
              expect(new Set(all)).toEqual(new Set(expected))
              expect(places(all)).toEqual(places(expected).toSorted((one, other) => other - one))
              expect(new Set(pending)).toEqual(new Set(expected.filter(({ status }) => status === 'pending')))
              expect(new Set(settled)).toEqual(new Set(expected.filter(({ status }) => status !== 'pending')))
            },
            clock(),
          ),
        ),
        { numRuns: propertyRuns(40) },
      )
    })
  })
}
