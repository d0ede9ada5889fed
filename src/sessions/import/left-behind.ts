import type { Thread } from '../../protocol/chunk.ts'
import { chunksOf, type Event } from '../../protocol/event.ts'
import { openParts, type OpenParts } from '../../protocol/open-parts.ts'

/** The open parts, and the calls without a result whose thread has continued. */
export interface Following {
  readonly open: OpenParts
  readonly leftBehind: ReadonlySet<string>
}

/** Applies an event. A thread continues with the next step of its model, the conversation also with a prompt. */
export function follow(before: Following, event: Event): Following {
  let { open, leftBehind } = event.type === 'interaction-started' ? leave(before, null) : before
  for (const each of chunksOf(event)) {
    if (each.chunk.type === 'start-step') ({ leftBehind } = leave({ open, leftBehind }, each.thread))
    open = openParts.apply(open, each)
  }
  return { open, leftBehind }
}

function leave({ open, leftBehind }: Following, thread: Thread): Following {
  const calls = open.messages.flatMap(each => (each.thread === thread ? each.calls : []))
  const left = calls.map(({ toolCallId }) => toolCallId).filter(id => !leftBehind.has(id))
  return { open, leftBehind: left.length === 0 ? leftBehind : new Set([...leftBehind, ...left]) }
}
