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

/** A piece of what the model streams: text, a thought, a call, a pause in milliseconds, or silence from then on. */
export type Piece =
  | string
  | { readonly thought: string }
  | { readonly call: string; readonly args: Json }
  | { readonly wait: number }
  | { readonly hang: true }

interface StreamedAnswer {
  readonly pieces: readonly Piece[]
  readonly unfinished?: boolean
  readonly finishReason?: string
}

/** The model's answer to one request: a stream, which may lack its end, or an HTTP error. */
export type ModelAnswer = StreamedAnswer | HttpError

/** A running fake of Google's Gemini API on loopback. */
export type FakeGemini = StreamingModel

/** Starts a fake of Google's Gemini API that answers by a script. */
export async function startFakeGemini(script: (request: ModelRequest) => ModelAnswer): Promise<FakeGemini> {
  const isAsked = (path: string) => path.includes(':streamGenerateContent')
  return startStreamingModel<StreamedAnswer>({ isAsked, script, stream })
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
  { pieces, unfinished, finishReason }: StreamedAnswer,
): Promise<boolean> {
  const send = (parts: readonly Json[], more: Readonly<Record<string, Json>> = {}) => {
    const candidates = [{ index: 0, content: { role: 'model', parts }, ...more }]
    const chunk = { candidates, usageMetadata: usage, modelVersion: 'gemini-2.5-flash' }
    outgoing.write(`data: ${JSON.stringify(chunk)}\r\n\r\n`)
  }
  for (const piece of pieces) {
    if (typeof piece === 'string') send([{ text: piece }])
    else if ('wait' in piece) await sleep(piece.wait)
    else if ('thought' in piece) send([{ text: piece.thought, thought: true }])
    else if ('call' in piece) send([{ functionCall: { name: piece.call, args: piece.args } }])
    // The connection stays open and nothing more is sent.
    else return false
  }
  if (unfinished !== true) send([], { finishReason: finishReason ?? 'STOP' })
  outgoing.end()
  return unfinished !== true
}
