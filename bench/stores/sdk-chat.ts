import { AbstractChat, type ChatState, type ChatStatus, type UIMessage, type UIMessageChunk } from 'ai'
import type { Chunk } from '../../src/protocol/chunk.ts'

/**
 * The state of `@ai-sdk/react` 4 (`chat.react.ts`), copy for copy, without its listeners: a message that is replaced
 * is copied together with each of its parts, one level deep, so that React sees what changed. Older releases cloned
 * all of it (`structuredClone`), which would flatter us.
 */
class CopyingState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready'
  error: Error | undefined = undefined
  messages: UIMessage[] = []

  pushMessage = (message: UIMessage) => {
    this.messages = this.messages.concat(message)
  }
  popMessage = () => {
    this.messages = this.messages.slice(0, -1)
  }
  replaceMessage = (index: number, message: UIMessage) => {
    this.messages = [
      ...this.messages.slice(0, index),
      this.snapshot(message),
      ...this.messages.slice(index + 1),
    ]
  }
  snapshot = <Value>(value: Value): Value => {
    const message = value as Partial<UIMessage> | null | undefined
    if (!Array.isArray(message?.parts)) return value
    return { ...value, parts: message.parts.map(part => ({ ...part })) }
  }
}

class Chat extends AbstractChat<UIMessage> {}

/** Lets the AI SDK's client receive an answer from memory, chunk by chunk, and gives its message. */
export async function receiveWithSdk(chunks: readonly Chunk[]): Promise<UIMessage> {
  const errors: Error[] = []
  const chat = new Chat({
    state: new CopyingState(),
    onError: error => void errors.push(error),
    transport: {
      sendMessages: async () => streamOf(chunks),
      reconnectToStream: async () => null,
    },
  })
  await chat.sendMessage({ text: 'Please do all of it.' })
  const message = chat.lastMessage
  if (errors[0] !== undefined) throw errors[0]
  if (message === undefined) throw new Error('The AI SDK received nothing.')
  return message
}

function streamOf(chunks: readonly Chunk[]): ReadableStream<UIMessageChunk> {
  const left = chunks.values()
  return new ReadableStream<UIMessageChunk>({
    pull(controller) {
      const { value } = left.next()
      if (value === undefined) controller.close()
      else controller.enqueue(value)
    },
  })
}
