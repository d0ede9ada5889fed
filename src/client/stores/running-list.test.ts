import { expect, it } from 'vitest'
import { createClient } from '../create-client.ts'

it('[C1] a session that changes status while the list loads is listed once, in its last state', async () => {
  const status = (address: string) => new URL(address).searchParams.get('status')
  const fetch = async (address: RequestInfo | URL) => {
    const asked = status(address as string)
    if (asked === null) return new Promise<Response>(() => {})
    const session = { id: 's', status: asked, pending: 0, seq: 1 }
    return Response.json({ sessions: [session], next: null })
  }
  using client = createClient({ url: 'http://fake', fetch, WebSocket: null, storage: new Map() })
  const stop = client.running.subscribe(() => {})
  await expect.poll(() => client.running.get().loading).toBe(false)
  expect(client.running.get().sessions.map(({ id, status: is }) => [id, is])).toEqual([['s', 'running']])
  stop()
})
