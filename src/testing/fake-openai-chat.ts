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

/**
 * A piece of what the model streams: text, a thought, a call, a pause in milliseconds, a broken connection, or
 * silence from then on.
 */
export type Piece =
  | string
  | { readonly thought: string }
  | { readonly call: string; readonly name: string; readonly input: Json }
  | { readonly wait: number }
  | { readonly end: 'drop' | 'hang' }

interface StreamedAnswer {
  readonly pieces: readonly Piece[]
  readonly finishReason?: string
}

/** The model's answer to one request: pieces, or an HTTP error. */
export type ModelAnswer = StreamedAnswer | HttpError

/** A running fake of OpenAI's Chat Completions API; its `url` is what to configure as the provider's base URL. */
export type FakeOpenAiChat = StreamingModel

/** Starts a fake of OpenAI's Chat Completions API, as many other services offer it, that answers by a script. */
export async function startFakeOpenAiChat(
  script: (request: ModelRequest) => ModelAnswer,
): Promise<FakeOpenAiChat> {
  const isAsked = (path: string) => path.startsWith('/v1/chat/completions')
  const model = await startStreamingModel<StreamedAnswer>({ isAsked, script, stream })
  return { ...model, url: `${model.url}/v1` }
}

const usage = {
  prompt_tokens: 120,
  completion_tokens: 30,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 20 },
}

async function stream(outgoing: ServerResponse, { pieces, finishReason }: StreamedAnswer): Promise<boolean> {
  const send = (choices: readonly Json[], more: Readonly<Record<string, Json>> = {}) => {
    const chunk = { id: 'chatcmpl-fake', object: 'chat.completion.chunk', model: 'fake', choices, ...more }
    outgoing.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  const delta = (fields: Json) => send([{ index: 0, delta: fields, finish_reason: null }])
  let calls = 0
  delta({ role: 'assistant', content: '' })
  for (const piece of pieces) {
    if (typeof piece === 'string') delta({ content: piece })
    else if ('wait' in piece) await sleep(piece.wait)
    else if ('thought' in piece) delta({ reasoning_content: piece.thought })
    else if ('call' in piece) for (const part of callParts(piece, calls++)) delta({ tool_calls: [part] })
    else {
      // Otherwise the connection stays open and nothing more is sent.
      if (piece.end === 'drop') outgoing.destroy()
      return false
    }
  }
  const reason = finishReason ?? (calls > 0 ? 'tool_calls' : 'stop')
  send([{ index: 0, delta: {}, finish_reason: reason }])
  send([], { usage })
  outgoing.end('data: [DONE]\n\n')
  return true
}

/** A call comes in parts: first its name, then its input, piece by piece. */
function callParts(
  { call, name, input }: Extract<Piece, { readonly call: string }>,
  index: number,
): readonly Json[] {
  const pieces = JSON.stringify(input).match(/.{1,12}/gs) ?? []
  return [
    { index, id: call, type: 'function', function: { name, arguments: '' } },
    ...pieces.map(piece => ({ index, function: { arguments: piece } })),
  ]
}
