import type { Replied, Sent } from '../../protocol/api/api.ts'
import type { Chunk } from '../../protocol/chunk.ts'
import type { Client } from '../create-client.ts'
import { streamAnswer } from './stream-answer.ts'

/** Where a chat's sessions are made. */
export interface ChatTransportOptions {
  /** The agent of a session that a first message creates; by default the server's default agent. */
  readonly agent?: string
  readonly cwd?: string
}

interface Given {
  readonly chatId: string
  readonly abortSignal?: AbortSignal | undefined
  /** What the page adds to the body of the request. */
  readonly body?: object | undefined
}

/** A stream of chunks, typed so that it fits where any release of the AI SDK wants its own. */
export type ChunkStream = ReadableStream<never>

/** A `ChatTransport` for `useChat`, of the AI SDK 6 and 7. A connection lost in the middle of an answer only delays it. */
export interface DragomanChatTransport {
  /** Tells the SDK that a resumed answer comes from its beginning. */
  readonly resumeStreamIsReplay: true
  sendMessages(
    options: Given & {
      readonly trigger: 'submit-message' | 'regenerate-message'
      readonly messages: readonly object[]
      readonly messageId?: string | undefined
    },
  ): Promise<ChunkStream>
  reconnectToStream(options: Given): Promise<ChunkStream | null>
  /** Answers an approval of the agent; the running stream continues automatically. */
  answer(
    chatId: string,
    approval: string,
    answer: Sent<'answerApproval'>['body'],
  ): Promise<Replied<'answerApproval'>>
  /** Stops the agent. The `stop` of `useChat` only stops listening. */
  stop(chatId: string): Promise<Replied<'interrupt'>>
}

/** The server then reports the last entry of each answer, so we can continue from there. */
const headers = { prefer: 'positions' }

type Ask = (signal: AbortSignal) => Promise<Response | null>

/** Connects `useChat` to the sessions of a server: the chat's id names the session. */
export function createChatTransport(
  client: Client,
  options: ChatTransportOptions = {},
): DragomanChatTransport {
  const { call, request } = client
  const resume =
    (session: string): Ask =>
    async signal => {
      const response = await request('resumeChat', { params: { session } }, { headers, signal })
      return response.status === 204 ? null : response
    }
  const stream = async (
    { chatId, abortSignal }: Given,
    first: Ask,
    again: Ask,
  ): Promise<ChunkStream | null> => {
    const stop = new AbortController()
    const signal = abortSignal ? AbortSignal.any([abortSignal, stop.signal]) : stop.signal
    const response = await first(signal)
    const start = (controller: ReadableStreamDefaultController<Chunk>) => {
      const take = (chunk: Chunk) => controller.enqueue(chunk)
      streamAnswer({ client, session: chatId, signal, take, again: () => again(signal) }, response).then(
        () => controller.close(),
        (error: unknown) => controller.error(error),
      )
    }
    return response && (new ReadableStream({ start, cancel: () => stop.abort() }) as unknown as ChunkStream)
  }
  return {
    resumeStreamIsReplay: true,
    sendMessages({ messages, trigger, messageId, ...given }) {
      const { chatId: id } = given
      const body = {
        ...options,
        ...given.body,
        id,
        messages,
        trigger,
        messageId,
      } as unknown as Sent<'chat'>['body']
      const send: Ask = signal => request('chat', { body }, { headers, signal })
      // Sending the same prompt again runs nothing twice, but regenerating again would.
      const again: Ask = async signal =>
        (await resume(id)(signal)) ?? (trigger === 'submit-message' ? send(signal) : null)
      return stream(given, send, again) as Promise<ChunkStream>
    },
    reconnectToStream: given => stream(given, resume(given.chatId), resume(given.chatId)),
    answer: (session, approval, body) => call('answerApproval', { params: { session, approval }, body }),
    stop: session => call('interrupt', { params: { session } }),
  }
}
