import type { Duplex } from 'node:stream'
import { problemHeaders, problemOf } from './problem.ts'
import { guardedHeaders } from './responses.ts'

/** Writes an error response to a raw socket and closes it. */
export function refuseSocket(socket: Duplex, error: unknown, line?: string): void {
  const problem = problemOf(error)
  const statusLine = line ?? `${problem.status} ${problem.title}`
  const body = JSON.stringify({ ...problem, status: Number.parseInt(statusLine, 10) })
  const headers = {
    ...guardedHeaders,
    ...problemHeaders(problem),
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // A disconnected client cannot receive it.
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${statusLine}\r\n${head.join('')}\r\n${body}`, () => socket.destroy())
}
