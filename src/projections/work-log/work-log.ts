import type { Fold } from '../fold.ts'
import { createToolCalls, type ToolCall } from '../tool-calls.ts'
import { entryOf, type WorkLogEntry } from './work-log-entry.ts'
import { resultOf } from './result.ts'
import { subjectOf } from './subject.ts'
import type { WorkPair } from './work-facts.ts'

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

/** A tool call with only the facts that the work log uses. */
function pairOfCall(call: ToolCall): WorkPair {
  const { toolCallId, message, thread, interaction, start, ready, end, closed, approval, duration } = call
  const place = { toolCallId, message, thread, interaction, start, ready, end, closed, approval, duration }
  return { ...place, subject: subjectOf(call), result: resultOf(call) }
}
