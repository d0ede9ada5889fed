import type { CallTimes } from '../client/stores/call-times.ts'
import type { ShownMessage } from '../client/stores/conversation.ts'
import { sameList } from '../client/stores/identity.ts'
import type { ClientView } from '../client/stores/session-state.ts'
import type { Moment } from '../projections/moment.ts'
import type { Thread } from '../protocol/chunk.ts'
import type { ToolPart } from '../protocol/message.ts'
import { callTitle } from './call-title.ts'

/** One tool call: what was done, how it went, and when. */
export interface WorkLogEntry {
  readonly toolCallId: string
  readonly tool: string
  /** A few words: the command, the file, what it is about. */
  readonly title: string
  readonly outcome: 'pending' | 'success' | 'failure' | 'denied'
  /** Null where it lies before what this client has read. */
  readonly start: Moment | null
  readonly stop: Moment | null
  readonly thread: Thread
  readonly interaction: string | null
  readonly message: string
}

/** Makes the work log of a view; what did not change since the last time is the same object, the whole list too. */
export function createWorkLog(): (view: ClientView) => readonly WorkLogEntry[] {
  const known = new WeakMap<
    ToolPart,
    { readonly times: CallTimes | undefined; readonly entry: WorkLogEntry }
  >()
  let last: readonly WorkLogEntry[] = []
  const entryOf = (shown: ShownMessage, part: ToolPart, times: CallTimes | undefined) => {
    const before = known.get(part)
    if (before !== undefined && before.times === times) return before.entry
    const entry = describe(shown, part, times)
    known.set(part, { times, entry })
    return entry
  }
  return ({ messages, calls }) => {
    const entries = [...messages.values()].flat().flatMap(shown =>
      shown.message.parts.flatMap(part => {
        if (part.type !== 'dynamic-tool') return []
        return [entryOf(shown, part, calls.get(part.toolCallId))]
      }),
    )
    last = sameList(last, entries)
    return last
  }
}

function describe(shown: ShownMessage, part: ToolPart, times: CallTimes | undefined): WorkLogEntry {
  const { toolCallId, toolName: tool } = part
  return {
    toolCallId,
    tool,
    title: callTitle(part),
    outcome: outcomeOf(part),
    start: times?.start ?? null,
    stop: times?.stop ?? null,
    thread: shown.thread,
    interaction: shown.interaction,
    message: shown.message.id,
  }
}

function outcomeOf(part: ToolPart): WorkLogEntry['outcome'] {
  if (!part.state.startsWith('output-') || ('preliminary' in part && part.preliminary)) return 'pending'
  const isDenied = 'approval' in part && part.approval?.approved === false
  if (isDenied || part.state === 'output-denied') return 'denied'
  return part.state === 'output-available' ? 'success' : 'failure'
}
