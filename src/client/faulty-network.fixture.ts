import type { FakeServer, Tell } from './fake-server.fixture.ts'
import type { WebSocketLike, WebSocketMaker } from './follow/websocket-source.ts'

/** How bad a network is: each a chance from 0 to 1. */
export interface Faults {
  readonly drop: number
  readonly duplicate: number
  /** The most milliseconds that something is under way; what is faster overtakes. */
  readonly delay: number
  readonly cut: number
  /** A call fails, before or after the server received it. */
  readonly fail: number
}

/** A network between a client and a fake server. It can be healed, and taken away. */
export interface FaultyNetwork {
  readonly fetch: typeof fetch
  readonly WebSocket: WebSocketMaker
  /** From now on everything arrives at once, in order. */
  heal(): void
  /** Cuts every connection, and lets none be made until `restore`. */
  unplug(): void
  /** From now on nothing arrives, and no error is reported. */
  swallow(): void
  restore(): void
  /** How many sockets were opened. */
  readonly opened: () => number
}

const perfect: Faults = { drop: 0, duplicate: 0, delay: 0, cut: 0, fail: 0 }

/** Joins a client and a server badly, but the same way for the same seed. */
export function createFaultyNetwork(server: FakeServer, given: Faults, random: () => number): FaultyNetwork {
  let faults = given
  let isPlugged = true
  let opened = 0
  const sockets = new Set<FakeSocket>()
  const after = (run: () => void) => setTimeout(run, random() * faults.delay)
  /** Carries something across: perhaps not at all, perhaps twice, perhaps late. */
  const carry = (run: () => void) => {
    if (!isPlugged || random() < faults.drop) return
    after(run)
    if (random() < faults.duplicate) after(run)
  }

  class FakeSocket implements WebSocketLike {
    readyState = 0
    onopen: WebSocketLike['onopen'] = null
    onmessage: WebSocketLike['onmessage'] = null
    onclose: WebSocketLike['onclose'] = null
    onerror: WebSocketLike['onerror'] = null
    private readonly tell: Tell = frame => {
      const data = JSON.stringify(frame)
      carry(() => {
        if (this.readyState === 1) this.onmessage?.({ data })
      })
      if (random() < faults.cut) this.end(1006)
    }

    constructor(_url: string) {
      opened += 1
      after(() => {
        if (!isPlugged || random() < faults.fail) return this.end(1006)
        sockets.add(this)
        this.readyState = 1
        this.onopen?.(undefined as never)
      })
    }

    send(text: string) {
      const frame = JSON.parse(text) as { type: string }
      carry(() => {
        if (this.readyState === 1) server.hear(frame, this.tell)
      })
    }

    close() {
      this.end(1000)
    }

    end(code: number) {
      if (this.readyState === 3) return
      this.readyState = 3
      sockets.delete(this)
      server.leave(this.tell)
      setTimeout(() => this.onclose?.({ code, reason: '' }), 0)
    }
  }

  const pause = () => new Promise<void>(resolve => after(resolve))
  const fail = () => {
    if (!isPlugged || random() < faults.fail / 2) throw new TypeError('fetch failed')
  }
  return {
    WebSocket: FakeSocket,
    async fetch(address, init = {}) {
      await pause()
      fail()
      init.signal?.throwIfAborted()
      const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined
      const response = server.answer(init.method ?? 'GET', new URL(address as string), body)
      await pause()
      // The server handled the request, but the client may not get the answer.
      fail()
      return response
    },
    heal() {
      faults = perfect
    },
    unplug() {
      isPlugged = false
      for (const socket of sockets) socket.end(1006)
    },
    swallow() {
      isPlugged = false
    },
    restore() {
      isPlugged = true
    },
    opened: () => opened,
  }
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
