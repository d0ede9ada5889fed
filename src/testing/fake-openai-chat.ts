import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../protocol/json.ts'
import { listenOnLoopback } from './loopback.ts'

/**
 * A piece of what the model streams: words, a thought, a call, a pause in milliseconds, a broken connection, or silence for
 * good.
 */
export type Piece =
  | string
  | { readonly thought: string }
  | { readonly call: string; readonly name: string; readonly input: Json }
  | { readonly wait: number }
  | { readonly end: 'drop' | 'hang' }

/** What the model answers to one request: pieces, or an HTTP error. */
export type ModelAnswer =
  | { readonly pieces: readonly Piece[]; readonly finishReason?: string }
  | { readonly status: number; readonly body: Json; readonly headers?: Readonly<Record<string, string>> }

/** A request to the model: its body, and how many came before it. */
export interface ModelRequest {
  readonly body: Readonly<Record<string, Json>>
  readonly before: number
}

/** A running fake of OpenAI's Chat Completions API on loopback. */
export interface FakeOpenAiChat extends AsyncDisposable {
  /** What to configure as the provider's base URL. */
  readonly url: string
  readonly requests: readonly ModelRequest[]
}

/** Starts a fake of OpenAI's Chat Completions API, as many other services offer it, that says what a script tells it to. */
export async function startFakeOpenAiChat(
  script: (request: ModelRequest) => ModelAnswer,
): Promise<FakeOpenAiChat> {
  const requests: ModelRequest[] = []
  const server = await listenOnLoopback((incoming, outgoing) =>
    respond(incoming, outgoing, body => {
      const request = { body, before: requests.length }
      requests.push(request)
      return script(request)
    }),
  )
  return { ...server, url: `${server.url}/v1`, requests }
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answerTo: (body: ModelRequest['body']) => ModelAnswer,
): Promise<void> {
  if (incoming.method !== 'POST' || !incoming.url?.startsWith('/v1/chat/completions')) {
    outgoing.writeHead(404).end('{}')
    return
  }
  const answer = answerTo(JSON.parse(await text(incoming)) as ModelRequest['body'])
  if ('status' in answer) {
    outgoing.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    outgoing.end(JSON.stringify(answer.body))
    return
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  await stream(outgoing, answer)
}

const usage = {
  prompt_tokens: 120,
  completion_tokens: 30,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 20 },
}

async function stream(
  outgoing: ServerResponse,
  { pieces, finishReason }: Extract<ModelAnswer, { readonly pieces: unknown }>,
): Promise<void> {
  const say = (choices: readonly Json[], more: Readonly<Record<string, Json>> = {}) => {
    const chunk = { id: 'chatcmpl-fake', object: 'chat.completion.chunk', model: 'fake', choices, ...more }
    outgoing.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  const delta = (fields: Json) => say([{ index: 0, delta: fields, finish_reason: null }])
  let calls = 0
  delta({ role: 'assistant', content: '' })
  for (const piece of pieces) {
    if (typeof piece === 'string') delta({ content: piece })
    else if ('wait' in piece) await sleep(piece.wait)
    else if ('thought' in piece) delta({ reasoning_content: piece.thought })
    else if ('call' in piece) for (const part of callParts(piece, calls++)) delta({ tool_calls: [part] })
    else if (piece.end === 'drop') return void outgoing.destroy()
    // The connection stays open and nothing comes any more.
    else return
  }
  const reason = finishReason ?? (calls > 0 ? 'tool_calls' : 'stop')
  say([{ index: 0, delta: {}, finish_reason: reason }])
  say([], { usage })
  outgoing.end('data: [DONE]\n\n')
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
