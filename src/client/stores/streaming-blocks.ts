import type { Thread } from '../../protocol/chunk.ts'
import type { MessagePart } from '../../protocol/message.ts'
import type { Conversation } from './conversation.ts'

/** A part that is being said right now: text, reasoning, or the input of a tool. */
export interface StreamingBlock {
  readonly thread: Thread
  readonly message: string
  /** Where it stands in its message. */
  readonly index: number
  readonly part: MessagePart
}

const known = new WeakMap<MessagePart, StreamingBlock>()

/** Finds what is being said; a part that did not change is in the same block as the last time. */
export const findStreaming = (conversation: Conversation): readonly StreamingBlock[] =>
  [...conversation.values()].flat().flatMap(({ message: { id: message, parts }, thread }) =>
    parts.flatMap((part, index) => {
      if (!('state' in part) || !part.state?.endsWith('streaming')) return []
      const block = known.get(part) ?? { thread, message, index, part }
      known.set(part, block)
      return [block]
    }),
  )
