import { problemHeaders, problemOf } from './problem.ts'
import type { Streamed } from './streams/sink.ts'
import { openWebSink } from './streams/web-sink.ts'

/** The headers of every response: other pages, frames and caches may not use it, and its type is fixed. */
export const guardedHeaders = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

type ExtraHeaders = Readonly<Record<string, string>>

/** A complete reply. */
export const reply = (
  status: number,
  contentType: string,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  headers: ExtraHeaders = {},
): Response =>
  new Response(body, { status, headers: { ...guardedHeaders, 'content-type': contentType, ...headers } })

/** A reply in JSON. */
export const jsonReply = (status: number, value: unknown, headers?: ExtraHeaders): Response =>
  reply(status, 'application/json', JSON.stringify(value), headers)

/** A reply with a problem, with the status of its code or another one. */
export function problemReply(error: unknown, status?: number): Response {
  const known = problemOf(error)
  const problem = { ...known, status: status ?? known.status }
  return reply(problem.status, 'application/problem+json', JSON.stringify(problem), problemHeaders(problem))
}

/** The headers of a stream, with those that every response has. */
export const streamHeaders = ({ headers }: Streamed): Readonly<Record<string, string>> => ({
  ...guardedHeaders,
  ...headers,
})

/** A stream as a `Response`, for servers that know nothing else. A client that is this many bytes behind has to wait. */
export function streamReply(streamed: Streamed, parkBytes: number): Response {
  const { sink, body } = openWebSink(parkBytes)
  streamed.run(sink)
  return new Response(body, { headers: streamHeaders(streamed) })
}
