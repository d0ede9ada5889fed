import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultsOf, wildFaultsOf } from './arbitrary/checks.fixture.ts'
import { documents } from './arbitrary/documents.arbitrary.ts'
import { wild } from './arbitrary/wild.arbitrary.ts'
import { formats } from './codecs.ts'

// `npm run test:formats -- --cases 10000` runs the same over many more.
const cases = 60

describe('translation between formats', () => {
  for (const from of formats)
    for (const to of formats.filter(format => format !== from))
      it(`[X6] ${from} → ${to} → ${from}: byte-equal, valid, every leaf accounted`, () => {
        fc.assert(
          fc.property(documents[from], json => {
            expect(faultsOf(from, to, json)).toEqual([])
          }),
          { numRuns: cases },
        )
      })

  for (const from of formats)
    for (const to of formats)
      it(`[X6] ${from}, damaged at random → ${to}: never throws; is valid, or as unfinished as before in the same format; accounts for every leaf`, () => {
        fc.assert(
          fc.property(wild(documents[from]), json => {
            expect(wildFaultsOf(from, to, json)).toEqual([])
          }),
          { numRuns: cases },
        )
      })
})
