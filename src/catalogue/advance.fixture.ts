import { expectEqual } from '../protocol/expect-equal.fixture.ts'
import type { Entry } from '../protocol/entry.ts'
import { continuesText } from '../protocol/event.ts'
import { advance, changesOfSession, foldEntry } from './advance.ts'
import type { SessionState } from './session-state.ts'

/** Compares `advance` with the full fold, entry by entry. Returns how many entries only continue text. */
export function expectSameAsFolded(entries: readonly Entry[]): number {
  let state: SessionState | null = null
  let texts = 0
  for (const entry of entries) {
    const folded = foldEntry(state, entry)
    const row = folded.state === null ? [] : changesOfSession(state, folded.state)
    const advanced = advance(state, [entry])
    expectEqual(advanced, { state: folded.state, changes: [...folded.changes, ...row] })
    if (continuesText(entry.event)) texts += 1
    state = folded.state
  }
  return texts
}
