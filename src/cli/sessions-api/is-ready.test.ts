import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { isReady } from './is-ready.ts'

/** A place where a server answers with a problem of this code. */
async function placeThatSays(code: string, status = 503) {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify({ code, detail: 'So it is.', status }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 't' }
}

it.each([
  ['draining', false],
  ['data-folder-gone', false],
  ['writer-dead', false],
  ['disk-full', true],
  ['journal-unreachable', true],
])('[T2] a server that says %s takes commands: %s', async (code, isOne) => {
  expect(await isReady(await placeThatSays(code))).toBe(isOne)
})

it('[T2] reports a refused token, and a missing server as not ready', async () => {
  const place = await placeThatSays('not-authenticated', 401)
  await expect(isReady(place)).rejects.toMatchObject({ code: 'not-authenticated' })
  expect(await isReady({ ...place, url: 'http://127.0.0.1:1' })).toBe(false)
})
