import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../protocol/json.ts'
import type { RequestFate } from './streaming-model.ts'
import { listenOnLoopback } from './loopback.ts'

/**
 * A piece of what the model streams: text, a pause in milliseconds, a broken connection, an error in the stream, or
 * silence from then on.
 */
export type Piece = string | { readonly wait: number } | { readonly end: 'dropped' | 'failed' | 'never' }

/** One block of the model's message. The input of a call is split into pieces automatically. */
export type Block =
  | { readonly type: 'text'; readonly pieces: readonly Piece[] }
  | { readonly type: 'thinking'; readonly pieces: readonly Piece[] }
  | { readonly type: 'call'; readonly call: string; readonly name: string; readonly input: Json }

/** The model's answer to one request: blocks, or an HTTP error. */
export type ModelAnswer =
  | { readonly blocks: readonly Block[]; readonly stopReason?: string }
  | { readonly status: number; readonly kind: string; readonly message: string }

/** A request to the model. */
export interface ModelRequest {
  readonly body: Readonly<Record<string, Json>>
  /** The first and the last message of a person or a tool to the model, as JSON. */
  readonly first: string
  readonly last: string
  /** How many results of tools the model has seen. */
  readonly results: number
  /** How many requests came before it. */
  readonly before: number
}

/** A running fake of Anthropic's Messages API on loopback. */
export interface FakeAnthropic extends AsyncDisposable {
  /** The value for ANTHROPIC_BASE_URL. */
  readonly url: string
  readonly requests: readonly (ModelRequest & RequestFate)[]
}

/** Starts a fake of Anthropic's Messages API that answers by a script. */
export async function startFakeAnthropic(
  script: (request: ModelRequest) => ModelAnswer,
): Promise<FakeAnthropic> {
  const requests: (ModelRequest & { answered: RequestFate['answered'] })[] = []
  const server = await listenOnLoopback((incoming, outgoing) =>
    respond(incoming, outgoing, body => {
      const request = { ...readConversation(body), before: requests.length }
      const entry = { ...request, answered: 'not yet' as RequestFate['answered'] }
      requests.push(entry)
      const answered = (fate: RequestFate['answered']) => void (entry.answered = fate)
      return { answer: script(request), answered }
    }),
  )
  return { ...server, requests }
}

function readConversation(body: ModelRequest['body']): Omit<ModelRequest, 'before'> {
  const messages = (body['messages'] ?? []) as readonly { readonly role: string }[]
  const prompts = messages.filter(({ role }) => role === 'user').map(message => JSON.stringify(message))
  const results = prompts.join('').split('"type":"tool_result"').length - 1
  return { body, first: prompts[0] ?? '', last: prompts.at(-1) ?? '', results }
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answerTo: (body: ModelRequest['body']) => {
    readonly answer: ModelAnswer
    readonly answered: (fate: RequestFate['answered']) => void
  },
): Promise<void> {
  const [path] = (incoming.url ?? '').split('?')
  const body = await text(incoming)
  const end = (status: number, value: Json) => {
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
  if (path === '/v1/messages/count_tokens') return end(200, { input_tokens: Math.ceil(body.length / 4) })
  if (incoming.method !== 'POST' || path !== '/v1/messages') return end(404, failure('not_found_error', ''))
  const request = JSON.parse(body) as ModelRequest['body']
  const { answer, answered } = answerTo(request)
  answered('status' in answer ? 'refused' : 'cut')
  if ('status' in answer) return end(answer.status, failure(answer.kind, answer.message))
  const message = { ...empty(request['model'] ?? null), stop_reason: stopOf(answer) }
  if (request['stream'] !== true) {
    answered('whole')
    return end(200, { ...message, content: answer.blocks.map(whole), usage })
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  if (await stream(outgoing, message, answer.blocks)) answered('whole')
}

const failure = (type: string, message: string): Json => ({ type: 'error', error: { type, message } })
const usage = {
  input_tokens: 1000,
  output_tokens: 20,
  cache_read_input_tokens: 7,
  cache_creation_input_tokens: 3,
}

let messages = 0

function empty(model: Json) {
  const id = `msg_fake_${(messages += 1)}`
  const begin = { id, type: 'message', role: 'assistant', model, content: [], stop_sequence: null }
  return { ...begin, usage: { ...usage, output_tokens: 1 } }
}

function stopOf({ blocks, stopReason }: Extract<ModelAnswer, { readonly blocks: unknown }>): string {
  return stopReason ?? (blocks.some(({ type }) => type === 'call') ? 'tool_use' : 'end_turn')
}

type Send = (type: string, fields: Readonly<Record<string, Json>>) => Promise<void>

async function stream(
  outgoing: ServerResponse,
  message: Readonly<Record<string, Json>>,
  blocks: readonly Block[],
): Promise<boolean> {
  const send: Send = async (type, fields) => {
    const sent = outgoing.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
    if (!sent) await new Promise(resolve => outgoing.once('drain', resolve))
  }
  await send('message_start', { message: { ...message, stop_reason: null } })
  for (const [index, block] of blocks.entries()) {
    await send('content_block_start', { index, content_block: begun(block) })
    for (const piece of piecesOf(block))
      if (!(await sendPiece(send, outgoing, index, block, piece))) return false
    if (block.type === 'thinking')
      await send('content_block_delta', { index, delta: { type: 'signature_delta', signature: 'ZmFrZQ==' } })
    await send('content_block_stop', { index })
  }
  await send('message_delta', {
    delta: { stop_reason: message['stop_reason'] ?? null, stop_sequence: null },
    usage,
  })
  await send('message_stop', {})
  outgoing.end()
  return true
}

/** Streams one piece; false when the stream ends on purpose. */
async function sendPiece(
  send: Send,
  outgoing: ServerResponse,
  index: number,
  block: Block,
  piece: Piece,
): Promise<boolean> {
  if (typeof piece === 'string') await send('content_block_delta', { index, delta: deltaOf(block, piece) })
  else if ('wait' in piece) await sleep(piece.wait)
  else if (piece.end === 'never') await new Promise(resolve => outgoing.once('close', resolve))
  else if (piece.end === 'dropped') outgoing.destroy()
  else {
    await send('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })
    outgoing.end()
    return false
  }
  return !outgoing.destroyed
}

function begun(block: Block): Json {
  if (block.type === 'text') return { type: 'text', text: '' }
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  return { type: 'tool_use', id: block.call, name: block.name, input: {} }
}

function deltaOf({ type }: Block, piece: string): Json {
  if (type === 'text') return { type: 'text_delta', text: piece }
  if (type === 'thinking') return { type: 'thinking_delta', thinking: piece }
  return { type: 'input_json_delta', partial_json: piece }
}

function piecesOf(block: Block): readonly Piece[] {
  if (block.type !== 'call') return block.pieces
  return JSON.stringify(block.input).match(/.{1,12}/gs) ?? []
}

/** A block of an answer that is not streamed. */
function whole(block: Block): Json {
  if (block.type === 'call') return { type: 'tool_use', id: block.call, name: block.name, input: block.input }
  const shown = block.pieces.filter(piece => typeof piece === 'string').join('')
  return block.type === 'text'
    ? { type: 'text', text: shown }
    : { type: 'thinking', thinking: shown, signature: 'ZmFrZQ==' }
}
