import type { CallTimes } from '../stores/call-times.ts'
import { sameList } from '../readable.ts'
import type { SessionState, ShownMessage } from '../stores/session-state.ts'
import { entryOf, type WorkLogEntry } from '../../projections/work-log/work-log-entry.ts'
import type { ToolPart } from '../../protocol/message.ts'
import { pairOfPart } from './pair-of-part.ts'

interface Made {
  readonly times: CallTimes | undefined
  readonly saved: WorkLogEntry | undefined
  readonly entry: WorkLogEntry
}

/**
 * Makes the work log of a session from what the server has of it and what has been seen since. What did not change since
 * the last time is the same object, the whole list too.
 */
export function createLiveWorkLog(): (
  state: SessionState,
  saved: readonly WorkLogEntry[],
) => readonly WorkLogEntry[] {
  const known = new WeakMap<ToolPart, Made>()
  let last: readonly WorkLogEntry[] = []
  return (state, saved) => {
    const all = new Map(saved.map(entry => [keyOf(entry.message, entry.toolCallId), entry]))
    const seen = new Map<WorkLogEntry, number>()
    for (const shown of [...state.view.messages.values()].flat())
      for (const part of shown.message.parts) {
        if (part.type !== 'dynamic-tool') continue
        const key = keyOf(shown.message.id, part.toolCallId)
        const entry = entryFor(known, state, shown, part, all.get(key))
        all.set(key, entry)
        seen.set(entry, shown.firstSeq)
      }
    const placeOf = (entry: WorkLogEntry) => entry.start?.seq ?? seen.get(entry) ?? 0
    last = sameList(
      last,
      [...all.values()].toSorted((a, b) => placeOf(a) - placeOf(b)),
    )
    return last
  }
}

const keyOf = (message: string, call: string) => `${message} ${call}`

function entryFor(
  known: WeakMap<ToolPart, Made>,
  state: SessionState,
  shown: ShownMessage,
  part: ToolPart,
  saved: WorkLogEntry | undefined,
): WorkLogEntry {
  const times = state.view.calls.get(part.toolCallId)
  const before = known.get(part)
  if (before !== undefined && before.times === times && before.saved === saved) return before.entry
  const pair = pairOfPart(state, shown, part, saved)
  // For a call that ended before we followed, the server knows more.
  const isOlder = times === undefined && saved !== undefined && saved.outcome !== 'pending'
  const entry = isOlder ? saved : entryOf(pair)
  known.set(part, { times, saved, entry })
  return entry
}
