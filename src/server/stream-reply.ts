import type { House } from './house.ts'
import { guardedHeaders } from './responses.ts'
import type { Streamed } from './streamed.ts'
import { openWebSink } from './streams/web-sink.ts'

/** The headers of a stream, with those that every response has. */
export const streamHeaders = ({ headers }: Streamed): Readonly<Record<string, string>> => ({
  ...guardedHeaders,
  ...headers,
})

/** A stream as a `Response`, for servers that know nothing else. */
export function streamReply({ options }: House, streamed: Streamed): Response {
  const { sink, body } = openWebSink(options.limits.parkBytes)
  streamed.run(sink)
  return new Response(body, { headers: streamHeaders(streamed) })
}
