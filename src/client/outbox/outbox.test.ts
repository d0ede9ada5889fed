import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { created, journal } from '../../projections/journal.fixture.ts'
import { createClient } from '../create-client.ts'
import { createFakeServer } from '../fake-server.fixture.ts'
import { createFaultyNetwork, seededRandom } from '../faulty-network.fixture.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

const calm = { drop: 0, duplicate: 0, delay: 0, cut: 0, fail: 0 }
const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
const prompt = { parts: [{ type: 'text', text: 'go' }] } as const

/** A page that looks at a session, and loses its server. */
async function lose(random: () => number) {
  const server = createFakeServer(journal(created()))
  const network = createFaultyNetwork(server, calm, () => 0.5)
  const { fetch, WebSocket } = network
  const client = createClient({ url: 'http://fake', fetch, WebSocket, storage: new Map(), random })
  const stop = client.session('s').state.subscribe(() => {})
  await wait(1000)
  network.unplug()
  const { id } = client.outbox.send('s', prompt)
  await wait(60_000)
  expect(server.begun.get(id)).toBeUndefined()
  const close = () => {
    stop()
    client.close()
  }
  return { server, network, client, id, close }
}

describe('prompts that wait for the server', () => {
  it('[C1] are sent as soon as the connection is open again', async () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const { server, network, client, id, close } = await lose(seededRandom(seed))
      network.restore()
      while (client.connection.get().state !== 'open') await wait(1)
      await wait(5)
      expect(server.begun.get(id)).toBe(1)
      close()
    }
  })

  it('[C1] wait at most a few seconds', async () => {
    const { server, network, id, close } = await lose(() => 1)
    network.restore()
    await wait(3010)
    expect(server.begun.get(id)).toBe(1)
    close()
  })

  it('[C1] stay listed for a while after they are saved, even if the connection is opened again', async () => {
    const { network, client, id, close } = await lose(() => 0)
    network.restore()
    while (client.outbox.items.get()[0]?.seq === null) await wait(1)
    network.unplug()
    network.restore()
    await wait(500)
    expect(client.connection.get().state).toBe('open')
    expect(client.outbox.items.get()).toMatchObject([{ id }])
    await wait(3000)
    expect(client.outbox.items.get()).toEqual([])
    close()
  })
})

it('[C1] a prompt whose ID belongs to another prompt is refused and not retried', async () => {
  const server = createFakeServer(journal(created()))
  const { fetch: ask, WebSocket } = createFaultyNetwork(server, calm, () => 0.5)
  const message = 'Prompt ID p1 belongs to another prompt in this session. Send this one with a new ID.'
  let sent = 0
  const fetch: typeof globalThis.fetch = async (url, init) => {
    if (init?.method !== 'POST' || !(init.body as string).includes('"p1"')) return ask(url, init)
    sent += 1
    return Response.json({ code: 'prompt-exists', detail: message }, { status: 409 })
  }
  const client = createClient({ url: 'http://fake', fetch, WebSocket, storage: new Map() })
  const { saved } = client.outbox.send('s', { ...prompt, id: 'p1' })
  const refused = expect(saved).rejects.toMatchObject({ code: 'prompt-exists', message })
  const next = client.outbox.send('s', prompt)
  await wait(60_000)
  expect(sent).toBe(1)
  await refused
  expect(client.outbox.items.get()).toMatchObject([
    { id: 'p1', state: 'refused', refusal: { code: 'prompt-exists', message } },
  ])
  // Those behind it are not held up.
  expect(server.begun.get(next.id)).toBe(1)
  client.close()
})
