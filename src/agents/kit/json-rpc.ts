import { DragomanError } from '../../protocol/error.ts'
import type { Raw } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import { boundedQueue } from './bounded-queue.ts'
import type { LineChannel } from './line-channel.ts'
import { rpcErrorText, rpcMessage, RpcRefusal, type IncomingRequest, type RpcMessage } from './rpc-message.ts'

/** JSON-RPC 2.0 over a channel of lines. Every line still comes out of `messages`, untouched. */
export interface JsonRpc extends Omit<LineChannel, 'send' | 'lastWords' | 'isHeld'> {
  /** Asks the agent, and resolves with its result. Rejects when it refuses or ends, or when the signal is aborted. */
  request(method: string, params: Json, signal?: AbortSignal): Promise<Json>
  /** Asks the agent, and resolves as soon as the question is sent; the answer, which may take long, follows. */
  begin(method: string, params: Json): Promise<{ readonly answer: Promise<Json> }>
  notify(method: string, params: Json): Promise<void>
}

/** Handles requests from the agent; undefined for an unknown method. A `RpcRefusal` has the reason of a refusal. */
export type Answerer = (request: IncomingRequest) => Promise<Json> | undefined

interface Pending {
  readonly method: string
  readonly resolve: (result: Json) => void
  readonly reject: (error: Error) => void
}

const readAheadBytes = 1024 * 1024
const methodNotFound = -32601
const internalError = -32603

/**
 * JSON-RPC over a channel. It reads ahead a little, so that a reply arrives even before `messages` is read;
 * `hear` is called with each line as soon as it is read.
 */
export function speakJsonRpc(
  channel: LineChannel,
  answer: Answerer,
  hear: (raw: Raw) => void = () => undefined,
): JsonRpc {
  const send = (message: Readonly<Record<string, Json>>) =>
    channel.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const questions = createQuestions(send)
  const reply = async (request: IncomingRequest) => {
    const outcome = await answered(request, answer)
    // An answer that cannot be sent has no taker: the agent has ended.
    await send({ id: request.id, ...outcome }).catch(() => undefined)
  }
  const messages = readAhead(channel, raw => {
    const message = rpcMessage(raw)
    if (message.type === 'response') questions.settle(message)
    if (message.type === 'request') void reply(message.request)
    hear(raw)
  })
  void messages.ended.then(() => questions.giveUp())

  return {
    process: channel.process,
    messages: messages.queue,
    logs: channel.logs,
    exit: channel.exit,
    async request(method, params, signal) {
      signal?.throwIfAborted()
      const { result, sent, reject } = questions.ask(method, params)
      const abort = () => reject(signal?.reason as Error)
      signal?.addEventListener('abort', abort, { once: true })
      try {
        await Promise.all([result, sent])
        return await result
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },
    async begin(method, params) {
      const { result, sent } = questions.ask(method, params)
      // The caller gets the failure if it awaits the reply; it does not have to.
      result.catch(() => undefined)
      await sent
      return { answer: result }
    },
    notify: (method, params) => send({ method, params }),
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  }
}

type Response = Extract<RpcMessage, { readonly type: 'response' }>

/** Our questions to the agent, each settled by its answer, its failure, or the agent's end. */
function createQuestions(send: (message: Readonly<Record<string, Json>>) => Promise<void>) {
  const pending = new Map<number, Pending>()
  let asked = 0
  let over = false
  return {
    ask(method: string, params: Json) {
      if (over) throw unanswered(method)
      const id = (asked += 1)
      const { promise, resolve, reject } = Promise.withResolvers<Json>()
      pending.set(id, { method, resolve, reject })
      const result = promise.finally(() => pending.delete(id))
      const sent = send({ id, method, params }).catch((error: unknown) => {
        reject(error)
        throw error
      })
      return { result, sent, reject }
    },
    settle: (response: Response) => settle(pending.get(response.id), response),
    giveUp() {
      over = true
      for (const { method, reject } of pending.values()) reject(unanswered(method))
    },
  }
}

/** Reads lines ahead, up to a small memory limit, and passes them to `hear` at once. */
function readAhead(channel: LineChannel, hear: (raw: Raw) => void) {
  const queue = boundedQueue<Raw>(readAheadBytes, ({ raw }) => raw.length)
  // After the exit, the pipe may still contain a reply that a caller awaits.
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
    return { error: { code: methodNotFound, message: `Method ${request.method} is not supported.` } }
  } catch (error) {
    const code = error instanceof RpcRefusal ? error.code : internalError
    return { error: { code, message: error instanceof Error ? error.message : String(error) } }
  }
}

function settle(pending: Pending | undefined, { result, error }: Response): void {
  if (error === null) return pending?.resolve(result)
  const text = `The agent refused "${pending?.method}": ${rpcErrorText(error)}`
  pending?.reject(new DragomanError('agent-unavailable', text, { error }))
}

function unanswered(method: string): DragomanError {
  return new DragomanError('agent-unavailable', `The agent ended before it answered "${method}".`)
}
