import { DragomanError } from '../../protocol/error.ts'
import { asObject, type Json } from '../../protocol/json.ts'
import type { AgentLine } from '../agent.ts'
import { boundedQueue } from './bounded-queue.ts'
import type { LineChannel } from './line-channel.ts'
import { parseJson } from './parse-json.ts'
import type { StartWatch } from './watch-start.ts'

/** JSON-RPC 2.0 over a channel of lines. Every line still comes out of `messages`, with its parsed value. */
export interface JsonRpc extends Omit<LineChannel, 'send' | 'lastWords' | 'isHeld'> {
  /** Sends a request, and resolves with its result. Rejects when the agent refuses or ends, or when the signal is aborted. */
  request(method: string, params: Json, signal?: AbortSignal): Promise<Json>
  /** Sends a request, and resolves as soon as it is sent; the answer, which may take long, follows. */
  begin(method: string, params: Json): Promise<{ readonly answer: Promise<Json> }>
  notify(method: string, params: Json): Promise<void>
}

/** A request of the agent to us. */
export interface IncomingRequest {
  readonly id: Json
  readonly method: string
  readonly params: Json
  /** Set when the request was too long for memory: long texts in its parameters are cut. */
  readonly cut?: true
}

/** Handles requests from the agent; undefined for an unknown method. A `RpcRefusal` has the reason of a refusal. */
export type Answerer = (request: IncomingRequest) => Promise<Json> | undefined

/** Thrown to answer a request of the agent with an error of a certain code. */
export class RpcRefusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

type Message = Readonly<Record<string, Json>>

const methodNotFound = -32601
const internalError = -32603

/**
 * JSON-RPC over a channel. It reads ahead a little, so that a reply arrives even before `messages` is read. `onLine` is
 * called with each line as soon as it is read. The watch, if any, gets the lines up to the first one of JSON-RPC.
 */
export function speakJsonRpc(
  channel: LineChannel,
  answer: Answerer,
  onLine: (line: AgentLine) => void = () => undefined,
  watch?: StartWatch,
): JsonRpc {
  const send = (message: Message) => channel.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const requests = createRequests(send)
  const reply = async (request: IncomingRequest) => {
    const outcome = await outcomeOf(request, answer)
    // An answer that cannot be sent is not needed any more: the agent has ended.
    await send({ id: request.id, ...outcome }).catch(() => undefined)
  }
  let isStarting = watch !== undefined
  const messages = readAhead(channel, line => {
    const message = asObject(line.parsed)
    const { id, method } = message
    if (isStarting) {
      isStarting = !isRpc(message)
      watch?.hear(line, !isStarting)
    }
    if (typeof method !== 'string') requests.settle(message)
    else if (id !== undefined) void reply(incoming(line, id, method, message['params'] ?? null))
    onLine(line)
  })
  void messages.ended.then(() => requests.giveUp())

  return {
    process: channel.process,
    messages: messages.queue,
    logs: channel.logs,
    exit: channel.exit,
    async request(method, params, signal) {
      signal?.throwIfAborted()
      const { result, sent, reject } = requests.start(method, params)
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
      const { result, sent } = requests.start(method, params)
      // The caller gets the failure if it awaits the reply; it does not have to.
      result.catch(() => undefined)
      await sent
      return { answer: result }
    },
    notify: (method, params) => send({ method, params }),
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  }
}

/** Whether a message is JSON-RPC at all: a request, a notification, or a response to a request of ours. */
const isRpc = ({ id, method }: Message): boolean =>
  typeof method === 'string' || (typeof id === 'number' && id > 0)

const incoming = ({ rawFile }: AgentLine, id: Json, method: string, params: Json): IncomingRequest => ({
  id,
  method,
  params,
  ...(rawFile !== undefined && { cut: true }),
})

interface Pending {
  readonly method: string
  readonly resolve: (result: Json) => void
  readonly reject: (error: Error) => void
}

/** Our requests to the agent, numbered from 1. Each is settled by its result, its error, or the agent's end. */
function createRequests(send: (message: Message) => Promise<void>) {
  const pending = new Map<Json | undefined, Pending>()
  let last = 0
  let over = false
  return {
    start(method: string, params: Json) {
      if (over) throw unanswered(method)
      const id = (last += 1)
      const { promise, resolve, reject } = Promise.withResolvers<Json>()
      pending.set(id, { method, resolve, reject })
      const result = promise.finally(() => pending.delete(id))
      const sent = send({ id, method, params }).catch((error: unknown) => {
        reject(error)
        throw error
      })
      return { result, sent, reject }
    },
    settle: ({ id, result = null, error = null }: Message) => settle(pending.get(id), result, error),
    giveUp() {
      over = true
      for (const { method, reject } of pending.values()) reject(unanswered(method))
    },
  }
}

function settle(pending: Pending | undefined, result: Json, error: Json): void {
  if (error === null) return pending?.resolve(result)
  const text = `The agent refused "${pending?.method}": ${errorText(error)}`
  pending?.reject(new DragomanError('agent-unavailable', text, { error }))
}

function errorText(error: Json): string {
  const text = asObject(error)['message'] ?? error
  return typeof text === 'string' ? text : JSON.stringify(text)
}

function unanswered(method: string): DragomanError {
  return new DragomanError('agent-unavailable', `The agent ended before it answered "${method}".`)
}

async function outcomeOf(request: IncomingRequest, answer: Answerer): Promise<Message> {
  try {
    const result = answer(request)
    if (result) return { result: await result }
    return { error: { code: methodNotFound, message: `Method ${request.method} is not supported.` } }
  } catch (error) {
    const code = error instanceof RpcRefusal ? error.code : internalError
    return { error: { code, message: error instanceof Error ? error.message : String(error) } }
  }
}

const readAheadBytes = 1024 * 1024

/** Reads lines ahead, up to a small memory limit. Each is parsed once, here, and passed to `onLine` at once. */
function readAhead(channel: LineChannel, onLine: (line: AgentLine) => void) {
  const queue = boundedQueue<AgentLine>(readAheadBytes, ({ raw }) => raw.length)
  // After the exit, the pipe may still contain a reply that a caller awaits.
  void channel.exit.then(() => queue.release())
  const pump = async () => {
    try {
      for await (const raw of channel.messages) {
        const parsed = parseJson(raw.raw)
        const line = parsed === undefined ? raw : { ...raw, parsed }
        onLine(line)
        await queue.push(line)
      }
    } finally {
      queue.end()
    }
  }
  return { queue, ended: pump().catch(() => undefined) }
}
