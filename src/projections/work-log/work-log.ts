import type { Fold } from '../fold.ts'
import { createToolCalls, type ToolCall } from '../tool-calls.ts'
import { pairOfCall } from './pair-of-call.ts'
import { entryOf, type WorkLogEntry } from './work-log-entry.ts'

/** The work log of a session, and the lines of it that changed since this was asked last. */
export interface WorkLogFold extends Fold<readonly WorkLogEntry[]> {
  news(): readonly WorkLogEntry[]
}

/** Folds entries into the work log: a line for each tool call, in the order in which they began. */
export function createWorkLog(): WorkLogFold {
  const calls = createToolCalls()
  const known = new WeakMap<ToolCall, WorkLogEntry>()
  const entryFor = (call: ToolCall) => {
    const before = known.get(call)
    if (before !== undefined) return before
    const entry = entryOf(pairOfCall(call))
    known.set(call, entry)
    return entry
  }
  let last: { readonly of: readonly ToolCall[]; readonly log: readonly WorkLogEntry[] } | null = null
  return {
    apply: entry => calls.apply(entry),
    view() {
      const of = calls.view()
      if (last?.of !== of) last = { of, log: of.map(entryFor) }
      return last.log
    },
    news: () => calls.news().map(entryFor),
  }
}
