import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../protocol/json.ts'
import { listenOnLoopback } from './loopback.ts'

/** A piece of what the model streams: words, a thought, a call, a pause in milliseconds, or silence for good. */
export type Piece =
  | string
  | { readonly thought: string }
  | { readonly call: string; readonly args: Json }
  | { readonly wait: number }
  | { readonly hang: true }

/** What the model answers to one request: a stream, which may lack its end, or an HTTP error. */
export type ModelAnswer =
  | { readonly pieces: readonly Piece[]; readonly unfinished?: boolean }
  | { readonly status: number; readonly body: Json }

/** A request to the model: its body, and how many came before it. */
export interface ModelRequest {
  readonly body: Readonly<Record<string, Json>>
  readonly before: number
}

/** A running fake of Google's Gemini API on loopback. */
export interface FakeGemini extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly ModelRequest[]
}

/** Starts a fake of Google's Gemini API that says what a script tells it to. */
export async function startFakeGemini(script: (request: ModelRequest) => ModelAnswer): Promise<FakeGemini> {
  const requests: ModelRequest[] = []
  const server = await listenOnLoopback((incoming, outgoing) =>
    respond(incoming, outgoing, body => {
      const request = { body, before: requests.length }
      requests.push(request)
      return script(request)
    }),
  )
  return { ...server, requests }
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answerTo: (body: ModelRequest['body']) => ModelAnswer,
): Promise<void> {
  if (incoming.method !== 'POST' || !incoming.url?.includes(':streamGenerateContent')) {
    outgoing.writeHead(404).end('{}')
    return
  }
  const answer = answerTo(JSON.parse(await text(incoming)) as ModelRequest['body'])
  if ('status' in answer) {
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify(answer.body))
    return
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  await stream(outgoing, answer)
}

const usage = {
  promptTokenCount: 1000,
  cachedContentTokenCount: 100,
  candidatesTokenCount: 10,
  thoughtsTokenCount: 5,
  totalTokenCount: 1015,
}

async function stream(
  outgoing: ServerResponse,
  { pieces, unfinished }: Extract<ModelAnswer, { readonly pieces: unknown }>,
): Promise<void> {
  const say = (parts: readonly Json[], more: Readonly<Record<string, Json>> = {}) => {
    const candidates = [{ index: 0, content: { role: 'model', parts }, ...more }]
    const chunk = { candidates, usageMetadata: usage, modelVersion: 'gemini-2.5-flash' }
    outgoing.write(`data: ${JSON.stringify(chunk)}\r\n\r\n`)
  }
  for (const piece of pieces) {
    if (typeof piece === 'string') say([{ text: piece }])
    else if ('wait' in piece) await sleep(piece.wait)
    else if ('thought' in piece) say([{ text: piece.thought, thought: true }])
    else if ('call' in piece) say([{ functionCall: { name: piece.call, args: piece.args } }])
    // The connection stays open and nothing comes any more.
    else return
  }
  if (unfinished !== true) say([], { finishReason: 'STOP' })
  outgoing.end()
}
