import type { Raw } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import { readJson } from './read-json.ts'

/** A request of the agent to us. */
export interface IncomingRequest {
  readonly id: Json
  readonly method: string
  readonly params: Json
  /** Set when the request was too long for memory: long texts in its parameters are cut. */
  readonly cut?: true
}

/** What a line is in JSON-RPC; notifications and lines that are none of it need no reaction. */
export type RpcMessage =
  | { readonly type: 'request'; readonly request: IncomingRequest }
  | { readonly type: 'response'; readonly id: number; readonly result: Json; readonly error: Json | null }
  | { readonly type: 'other' }

/** Reads a line as JSON-RPC. */
export function rpcMessage({ raw, rawFile }: Raw): RpcMessage {
  const reading = readJson({ from: 'agent', text: raw, cut: rawFile !== undefined })
  if (reading.type === 'unreadable') return { type: 'other' }
  const { id, method, params = null, result = null, error = null } = reading.value
  const cut = rawFile === undefined ? {} : ({ cut: true } as const)
  if (typeof method === 'string')
    return id === undefined ? { type: 'other' } : { type: 'request', request: { id, method, params, ...cut } }
  return typeof id === 'number' ? { type: 'response', id, result, error } : { type: 'other' }
}

/** Whether a line is a word of JSON-RPC at all: a request, news, or an answer to a question, which we number from 1 on. */
export function isRpc(raw: Raw): boolean {
  const message = rpcMessage(raw)
  if (message.type === 'response') return message.id > 0
  if (message.type === 'request') return true
  const reading = readJson({ from: 'agent', text: raw.raw, cut: raw.rawFile !== undefined })
  return reading.type !== 'unreadable' && typeof reading.value['method'] === 'string'
}

/** The sentence in an error of JSON-RPC. */
export function rpcErrorText(error: Json): string {
  const text = typeof error === 'object' && error !== null && 'message' in error ? error['message'] : error
  return typeof text === 'string' ? text : JSON.stringify(text)
}

/** Thrown to answer a request of the agent with an error of a certain code. */
export class RpcRefusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
