import type { Thread } from '../../protocol/chunk.ts'
import type { MessagePart } from '../../protocol/message.ts'
import type { Conversation } from './conversation.ts'

/** A part that is streaming: text, reasoning, or the input of a tool. */
export interface StreamingBlock {
  readonly thread: Thread
  readonly message: string
  /** Its place in the message. */
  readonly index: number
  readonly part: MessagePart
}

const known = new WeakMap<MessagePart, StreamingBlock>()

/** Finds the streaming parts; an unchanged part keeps its block. */
export const findStreaming = (conversation: Conversation): readonly StreamingBlock[] =>
  [...conversation.values()].flat().flatMap(({ message: { id: message, parts }, thread }) =>
    parts.flatMap((part, index) => {
      if (!('state' in part) || !part.state?.endsWith('streaming')) return []
      const block = known.get(part) ?? { thread, message, index, part }
      known.set(part, block)
      return [block]
    }),
  )
