import type { Thread } from '../../protocol/chunk.ts'
import { chunksOf, type Event } from '../../protocol/event.ts'
import { openParts, type OpenParts } from '../../protocol/open-parts.ts'

/** What is open, and the calls without a result after which their thread went on. */
export interface Following {
  readonly open: OpenParts
  readonly leftBehind: ReadonlySet<string>
}

/** Follows events. A thread goes on with the next step of its model, the conversation also with a prompt. */
export function follow(before: Following, event: Event): Following {
  let { open, leftBehind } = event.type === 'interaction-started' ? leave(before, null) : before
  for (const said of chunksOf(event)) {
    if (said.chunk.type === 'start-step') ({ leftBehind } = leave({ open, leftBehind }, said.thread))
    open = openParts.apply(open, said)
  }
  return { open, leftBehind }
}

function leave({ open, leftBehind }: Following, thread: Thread): Following {
  const calls = open.messages.flatMap(each => (each.thread === thread ? each.calls : []))
  const left = calls.map(({ toolCallId }) => toolCallId).filter(id => !leftBehind.has(id))
  return { open, leftBehind: left.length === 0 ? leftBehind : new Set([...leftBehind, ...left]) }
}
