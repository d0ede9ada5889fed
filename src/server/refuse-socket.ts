import type { Duplex } from 'node:stream'
import { problemHeaders, problemOf } from './problem.ts'
import { guardedHeaders } from './responses.ts'

/** Answers on a bare socket with what went wrong, and closes it. */
export function refuseSocket(socket: Duplex, error: unknown, line?: string): void {
  const problem = problemOf(error)
  const said = line ?? `${problem.status} ${problem.title}`
  const body = JSON.stringify({ ...problem, status: Number.parseInt(said, 10) })
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
  socket.end(`HTTP/1.1 ${said}\r\n${head.join('')}\r\n${body}`, () => socket.destroy())
}
