import { DragomanError } from '../../protocol/error.ts'
import type { Raw } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import { boundedQueue } from './bounded-queue.ts'
import type { LineChannel } from './line-channel.ts'
import { rpcErrorText, rpcMessage, type IncomingRequest, type RpcMessage } from './rpc-message.ts'

/** JSON-RPC 2.0 over a channel of lines. Every line still comes out of `messages`, untouched. */
export interface JsonRpc extends Omit<LineChannel, 'send'> {
  /** Asks the agent, and resolves with its result. Rejects when it refuses or ends, or when the signal is aborted. */
  request(method: string, params: Json, signal?: AbortSignal): Promise<Json>
  notify(method: string, params: Json): Promise<void>
}

/** What we do when the agent asks; undefined for a method that we do not know. */
export type Answerer = (request: IncomingRequest) => Promise<Json> | undefined

interface Pending {
  readonly method: string
  readonly resolve: (result: Json) => void
  readonly reject: (error: Error) => void
}

const readAheadBytes = 1024 * 1024
const methodNotFound = -32601
const internalError = -32603

/** Speaks JSON-RPC over a channel. It reads ahead a little, so that an answer comes even before anyone reads `messages`. */
export function speakJsonRpc(channel: LineChannel, answer: Answerer): JsonRpc {
  const pending = new Map<number, Pending>()
  let requests = 0
  let over = false
  const send = (message: Readonly<Record<string, Json>>) =>
    channel.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const reply = async (request: IncomingRequest) => {
    const outcome = await answered(request, answer)
    // An answer that cannot be sent has no taker: the agent has ended.
    await send({ id: request.id, ...outcome }).catch(() => undefined)
  }
  const messages = readAhead(channel, raw => {
    const message = rpcMessage(raw)
    if (message.type === 'response') settle(pending.get(message.id), message)
    if (message.type === 'request') void reply(message.request)
  })
  void messages.ended.then(() => {
    over = true
    for (const { method, reject } of pending.values()) reject(unanswered(method))
  })

  return {
    process: channel.process,
    messages: messages.queue,
    logs: channel.logs,
    exit: channel.exit,
    async request(method, params, signal) {
      signal?.throwIfAborted()
      if (over) throw unanswered(method)
      const id = (requests += 1)
      const { promise, resolve, reject } = Promise.withResolvers<Json>()
      const abort = () => reject(signal?.reason as Error)
      signal?.addEventListener('abort', abort, { once: true })
      pending.set(id, { method, resolve, reject })
      try {
        const [result] = await Promise.all([promise, send({ id, method, params })])
        return result
      } finally {
        pending.delete(id)
        signal?.removeEventListener('abort', abort)
      }
    },
    notify: (method, params) => send({ method, params }),
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  }
}

/** Reads lines before they are asked for, as many as a little memory holds, and lets them be heard at once. */
function readAhead(channel: LineChannel, hear: (raw: Raw) => void) {
  const queue = boundedQueue<Raw>(readAheadBytes, ({ raw }) => raw.length)
  // After the exit there is only what the pipe still holds, and somebody may wait for an answer in it.
  void channel.exit.then(() => queue.release())
  const pump = async () => {
    try {
      for await (const raw of channel.messages) {
        hear(raw)
        await queue.push(raw)
      }
    } finally {
      queue.end()
    }
  }
  return { queue, ended: pump().catch(() => undefined) }
}

async function answered(request: IncomingRequest, answer: Answerer): Promise<Readonly<Record<string, Json>>> {
  try {
    const result = answer(request)
    if (result) return { result: await result }
    return { error: { code: methodNotFound, message: `Method ${request.method} is not known here.` } }
  } catch (error) {
    return { error: { code: internalError, message: error instanceof Error ? error.message : String(error) } }
  }
}

function settle(
  pending: Pending | undefined,
  { result, error }: Extract<RpcMessage, { readonly type: 'response' }>,
): void {
  if (error === null) return pending?.resolve(result)
  const text = `The agent refused "${pending?.method}": ${rpcErrorText(error)}`
  pending?.reject(new DragomanError('agent-unavailable', text, { error }))
}

function unanswered(method: string): DragomanError {
  return new DragomanError('agent-unavailable', `The agent ended before it answered "${method}".`)
}
