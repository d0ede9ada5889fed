import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Served } from './server-asked.ts'

/** Opens a server without a token that answers each request by what its query asks for. */
export async function serveAnswers(
  answer: (asked: URLSearchParams, outgoing: ServerResponse) => void,
): Promise<Served> {
  const server = createServer((incoming, outgoing) =>
    answer(new URL(incoming.url ?? '/', 'http://local').searchParams, outgoing),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: '' }
}
