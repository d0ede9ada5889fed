import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Json } from '../protocol/json.ts'
import { listenOnLoopback, type Loopback } from './loopback.ts'

/** A request to a model: its body, and how many came before it. */
export interface ModelRequest {
  readonly body: Readonly<Record<string, Json>>
  readonly before: number
}

/** An answer that is an HTTP error. */
export interface HttpError {
  readonly status: number
  readonly body: Json
  readonly headers?: Readonly<Record<string, string>>
}

/** The outcome of a request: `whole` when the answer, with its usage at the end, was sent completely. */
export interface RequestFate {
  readonly answered: 'not yet' | 'whole' | 'cut' | 'refused'
}

/** A running fake of a model's API on loopback. */
export interface StreamingModel extends Loopback {
  readonly requests: readonly (ModelRequest & RequestFate)[]
}

/** How a fake answers. */
export interface FakeApi<Answer extends object> {
  /** Whether a path is that of a request to the model; all others do not exist. */
  readonly isAsked: (path: string) => boolean
  readonly script: (request: ModelRequest) => Answer | HttpError
  /** Streams the answer; resolves to whether it sent all of it. */
  readonly stream: (outgoing: ServerResponse, answer: Answer) => Promise<boolean>
}

/** Starts a fake that answers each request by a script, in server-sent events. */
export async function startStreamingModel<Answer extends object>({
  isAsked,
  script,
  stream,
}: FakeApi<Answer>): Promise<StreamingModel> {
  const requests: (ModelRequest & { answered: RequestFate['answered'] })[] = []
  const server = await listenOnLoopback(async (incoming, outgoing) => {
    if (incoming.method !== 'POST' || !isAsked(incoming.url ?? ''))
      return void outgoing.writeHead(404).end('{}')
    const body = JSON.parse(await text(incoming)) as ModelRequest['body']
    const request = { body, before: requests.length }
    const entry = { ...request, answered: 'not yet' as RequestFate['answered'] }
    requests.push(entry)
    const answer = script(request)
    if (isError(answer)) {
      entry.answered = 'refused'
      outgoing.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      return void outgoing.end(JSON.stringify(answer.body))
    }
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    entry.answered = 'cut'
    if (await stream(outgoing, answer)) entry.answered = 'whole'
  })
  return { ...server, requests }
}

const isError = (answer: object): answer is HttpError => 'status' in answer
