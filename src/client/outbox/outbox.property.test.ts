import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { created, journal } from '../../projections/journal.fixture.ts'
import { createClient, type Client } from '../create-client.ts'
import { createFakeServer, type FakeServer } from '../fake-server.fixture.ts'
import { createFaultyNetwork, seededRandom, type FaultyNetwork } from '../faulty-network.fixture.ts'
import type { OutboxStorage } from './shelf.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

/** What may happen to a page. */
type Step = 'prompt' | 'unplug' | 'restore' | 'die' | 'wait'

const steps = fc.array(fc.constantFrom<Step>('prompt', 'prompt', 'unplug', 'restore', 'die', 'wait'), {
  minLength: 3,
  maxLength: 25,
})

function open(network: FaultyNetwork, storage: OutboxStorage, random: () => number): Client {
  return createClient({ url: 'http://fake', fetch: network.fetch, WebSocket: null, storage, random })
}

/** The prompts that were begun, in order. */
const begun = ({ entries }: FakeServer) =>
  entries.flatMap(({ event }) => (event.type === 'interaction-started' ? [event.prompt] : []))

describe('the outbox', () => {
  it('[C2] sends every prompt once and in order, despite lost connections and reloads', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), fc.constantFrom(0, 0.4, 0.8), async (plan, seed, fail) => {
        const random = seededRandom(seed)
        const server = createFakeServer(journal(created()))
        const network = createFaultyNetwork(
          server,
          { drop: 0, duplicate: 0, delay: 30, cut: 0, fail },
          random,
        )
        const storage = new Map<string, string>()
        const given: string[] = []
        let client = open(network, storage, random)
        for (const step of plan) {
          if (step === 'prompt')
            given.push(client.outbox.send('s', { parts: [{ type: 'text', text: 'go' }] }).id)
          if (step === 'unplug' || step === 'restore') network[step]()
          if (step === 'die') {
            client.close()
            client = open(network, storage, random)
          }
          if (step === 'wait') await vi.advanceTimersByTimeAsync(random() * 3000)
        }
        network.restore()
        network.heal()
        await vi.advanceTimersByTimeAsync(60_000)
        expect(begun(server)).toEqual(given)
        for (const id of given) expect(server.begun.get(id)).toBe(1)
        expect(client.outbox.items.get()).toEqual([])
        expect([...storage]).toEqual([])
        client.close()
      }),
      { numRuns: 150 },
    )
  })

  it('[C2] lists queued and sending prompts, and drops withdrawn ones', async () => {
    const server = createFakeServer(journal(created()))
    const network = createFaultyNetwork(
      server,
      { drop: 0, duplicate: 0, delay: 0, cut: 0, fail: 0 },
      () => 0.5,
    )
    const client = open(network, new Map(), () => 0.5)
    network.unplug()
    const first = client.outbox.send('s', { parts: [{ type: 'text', text: 'one' }] })
    const second = client.outbox.send('s', { parts: [{ type: 'text', text: 'two' }] })
    const states = () => client.outbox.items.get().map(({ id, state }) => [id, state])
    expect(states()).toEqual([
      [first.id, 'sending'],
      [second.id, 'queued'],
    ])
    await vi.advanceTimersByTimeAsync(100)
    expect(states()).toEqual([
      [first.id, 'queued'],
      [second.id, 'queued'],
    ])
    expect(client.outbox.discard(first.id)).toBe(true)
    await expect(first.saved).rejects.toMatchObject({ code: 'unknown-prompt' })
    network.restore()
    await vi.advanceTimersByTimeAsync(20_000)
    expect((await second.saved).id).toBe(second.id)
    expect(begun(server)).toEqual([second.id])
    client.close()
  })
})
