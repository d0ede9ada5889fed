import fc from 'fast-check'
import { expect, it } from 'vitest'
import { session } from '../projections/session.arbitrary.ts'
import { propertyRuns } from '../protocol/property-runs.fixture.ts'
import { advance } from './advance.ts'
import type { SessionState } from './session-state.ts'

it('[J5] many entries at once are what they are one by one', () => {
  fc.assert(
    fc.property(session({ answers: true }), entries => {
      let state: SessionState | null = null
      for (const entry of entries) ({ state } = advance(state, [entry]))
      expect(advance(null, entries).state).toEqual(state)
    }),
    { numRuns: propertyRuns(60) },
  )
})
