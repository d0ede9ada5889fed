import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { request } from './http.ts'

/** Serves a JSON text of the given size in MiB, and returns the address. */
async function serve(mebibytes: number) {
  const piece = Buffer.alloc(1024 * 1024, 'x')
  let isCut = false
  const server = createServer((_, reply) => {
    reply.on('close', () => (isCut = !reply.writableFinished))
    reply.write('"')
    for (let count = 0; count < mebibytes; count += 1) reply.write(piece)
    reply.end('é"')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { address: { url: `http://127.0.0.1:${port}`, password: 'p' }, isCut: () => isCut }
}

describe('replies of OpenCode', () => {
  const get = ({ address }: Awaited<ReturnType<typeof serve>>) =>
    request(address, 'GET', '/session/s/message', undefined, new AbortController().signal)

  it('[A6] are read as they arrive', async () => {
    expect(await get(await serve(1))).toBe(`${'x'.repeat(1024 * 1024)}é`)
  })

  it('[A6] are not read beyond 64 MiB', async () => {
    const server = await serve(96)
    await expect(get(server)).rejects.toThrow(
      'OpenCode\'s reply to "GET /session/s/message" is longer than 64 MiB, so it was not read.',
    )
    await expect.poll(server.isCut).toBe(true)
  })
})
