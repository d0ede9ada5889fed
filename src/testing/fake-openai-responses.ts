import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../protocol/json.ts'
import {
  startStreamingModel,
  type HttpError,
  type ModelRequest,
  type StreamingModel,
} from './streaming-model.ts'

export type { ModelRequest } from './streaming-model.ts'

/** A piece of what the model streams: text, a pause in milliseconds, a broken connection, or silence from then on. */
export type Piece = string | { readonly wait: number } | { readonly end: 'drop' | 'hang' }

/** One output item of the model. */
export type Output =
  | {
      readonly type: 'message'
      readonly id?: string
      readonly phase?: string
      readonly text: readonly Piece[]
    }
  | {
      readonly type: 'reasoning'
      readonly id?: string
      readonly summary?: readonly (readonly Piece[])[]
      readonly text?: readonly Piece[]
    }
  | {
      readonly type: 'call'
      readonly call: string
      readonly name: string
      readonly namespace?: string
      readonly input: Json
    }
  | { readonly type: 'custom-call'; readonly call: string; readonly name: string; readonly input: string }

interface StreamedAnswer {
  readonly output: readonly Output[]
  readonly failed?: { readonly code: string; readonly message: string }
}

/** The model's answer to one request: output items, a failure inside the stream, or an HTTP error. */
export type ModelAnswer = StreamedAnswer | HttpError

/** A running fake of OpenAI's Responses API; its `url` is what to configure as the provider's base URL. */
export type FakeOpenAi = StreamingModel

/** Starts a fake of OpenAI's Responses API that answers by a script. */
export async function startFakeOpenAi(script: (request: ModelRequest) => ModelAnswer): Promise<FakeOpenAi> {
  const isAsked = (path: string) => path.startsWith('/v1/responses')
  const model = await startStreamingModel<StreamedAnswer>({ isAsked, script, stream })
  return { ...model, url: `${model.url}/v1` }
}

let responses = 0

async function stream(outgoing: ServerResponse, { output, failed }: StreamedAnswer): Promise<boolean> {
  const id = `resp_fake_${(responses += 1)}`
  let sequence = 0
  const send: Send = async (type, fields) => {
    const event = { type, sequence_number: (sequence += 1), ...fields }
    const sent = outgoing.write(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`)
    if (!sent) await new Promise(resolve => outgoing.once('drain', resolve))
  }
  const response = { id, object: 'response', created_at: 0, model: 'fake-model' }
  await send('response.created', { response: { ...response, status: 'in_progress', output: [] } })
  const items: Json[] = []
  for (const [index, each] of output.entries()) {
    const item = await sendItem(send, outgoing, each, index, id)
    if (item === null) return false
    items.push(item)
  }
  if (failed) await send('response.failed', { response: { ...response, status: 'failed', error: failed } })
  else
    await send('response.completed', { response: { ...response, status: 'completed', output: items, usage } })
  outgoing.end()
  return failed === undefined
}

type Send = (type: string, fields: Readonly<Record<string, Json>>) => Promise<void>

const usage = {
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 20 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 150,
}

/** Streams one item; null when the connection was broken on purpose. */
async function sendItem(
  send: Send,
  outgoing: ServerResponse,
  output: Output,
  index: number,
  response: string,
): Promise<Json | null> {
  const place = { output_index: index }
  const { begun, done } = itemsOf(output, `${response}_${index}`)
  await send('response.output_item.added', { ...place, item: begun })
  for (const [part, { type, pieces, added }] of streamsOf(output).entries()) {
    const at = { ...place, item_id: begun.id, summary_index: part, content_index: part }
    if (added !== null) await send(added, { ...at, part: { type: 'summary_text', text: '' } })
    for (const piece of pieces) {
      if (typeof piece === 'string') await send(type, { ...at, delta: piece })
      else if ('wait' in piece) await sleep(piece.wait)
      else if (piece.end === 'drop') return drop(outgoing)
      else await new Promise(resolve => outgoing.once('close', resolve))
      if (outgoing.destroyed) return null
    }
  }
  await send('response.output_item.done', { ...place, item: done })
  return done
}

function drop(outgoing: ServerResponse): null {
  outgoing.destroy()
  return null
}

interface Stream {
  readonly type: string
  readonly added: string | null
  readonly pieces: readonly Piece[]
}

function streamsOf(output: Output): readonly Stream[] {
  if (output.type === 'message')
    return [{ type: 'response.output_text.delta', added: null, pieces: output.text }]
  if (output.type !== 'reasoning') return []
  const summary = (output.summary ?? []).map(pieces => ({
    type: 'response.reasoning_summary_text.delta',
    added: 'response.reasoning_summary_part.added',
    pieces,
  }))
  const raw = output.text ? [{ type: 'response.reasoning_text.delta', added: null, pieces: output.text }] : []
  return [...summary, ...raw]
}

type Item = Readonly<Record<string, Json>> & { readonly id: string }

/** An output item as it begins and as it ends. */
function itemsOf(output: Output, id: string): { readonly begun: Item; readonly done: Item } {
  if (output.type === 'message') {
    const base = { type: 'message', id: output.id ?? `msg_${id}`, role: 'assistant' }
    const phase = output.phase === undefined ? {} : { phase: output.phase }
    const content = [{ type: 'output_text', text: textIn(output.text), annotations: [] }]
    return {
      begun: { ...base, ...phase, status: 'in_progress', content: [] },
      done: { ...base, ...phase, status: 'completed', content },
    }
  }
  if (output.type === 'reasoning') {
    const base = { type: 'reasoning', id: output.id ?? `rs_${id}`, encrypted_content: 'ZmFrZQ==' }
    const summary = (output.summary ?? []).map(each => ({ type: 'summary_text', text: textIn(each) }))
    const content = output.text ? [{ type: 'reasoning_text', text: textIn(output.text) }] : []
    return { begun: { ...base, summary: [] }, done: { ...base, summary, content } }
  }
  const { call: call_id, name, input } = output
  if (output.type === 'custom-call') {
    const base = { type: 'custom_tool_call', id: `ctc_${id}`, call_id, name }
    return { begun: { ...base, input: '' }, done: { ...base, input, status: 'completed' } }
  }
  const namespace = output.namespace === undefined ? {} : { namespace: output.namespace }
  const base = { type: 'function_call', id: `fc_${id}`, call_id, name, ...namespace }
  const args = typeof input === 'string' ? input : JSON.stringify(input)
  return { begun: { ...base, arguments: '' }, done: { ...base, arguments: args, status: 'completed' } }
}

const textIn = (pieces: readonly Piece[]) =>
  pieces.filter((piece): piece is string => typeof piece === 'string').join('')
