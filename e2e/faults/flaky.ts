import { WebSocket } from 'ws'
import type { WebSocketLike, WebSocketMaker } from '../../src/client/index.ts'

/** The faults of a network; each a chance from 0 to 1. */
export interface Weather {
  readonly drop: number
  readonly duplicate: number
  /** Late by up to so many milliseconds, so that others overtake it. */
  readonly delay: number
  readonly delayMs: number
  readonly cut: number
}

/** The weather of a schedule: some are calm, some are wild. */
export function weatherOf(random: () => number): Weather {
  const often = () => (random() < 0.5 ? 0 : random() * 0.2)
  return { drop: often(), duplicate: often(), delay: often() * 2, delayMs: random() * 8, cut: often() / 4 }
}

/** Applies the faults to one frame: drops, doubles or delays it, or cuts the connection. */
function pass(weather: Weather, random: () => number, hand: () => void, cut: () => void): void {
  if (random() < weather.cut) return cut()
  if (random() < weather.drop) return
  const times = random() < weather.duplicate ? 2 : 1
  for (let time = 0; time < times; time++)
    if (random() < weather.delay) setTimeout(hand, random() * weather.delayMs)
    else hand()
}

/** WebSockets over such a network: frames of both directions are lost, doubled, late and out of order. */
export function flakyWebSocket(weather: Weather, random: () => number): WebSocketMaker {
  return class implements WebSocketLike {
    onopen: WebSocketLike['onopen'] = null
    onmessage: WebSocketLike['onmessage'] = null
    onclose: WebSocketLike['onclose'] = null
    onerror: WebSocketLike['onerror'] = null
    readonly #socket: WebSocket

    constructor(url: string, options?: { readonly headers: Readonly<Record<string, string>> }) {
      this.#socket = new WebSocket(url, { headers: { ...options?.headers }, perMessageDeflate: false })
      const cut = () => this.#socket.terminate()
      this.#socket.on('open', () => this.onopen?.(undefined as never))
      this.#socket.on('message', (bytes: Buffer) => {
        const data = bytes.toString()
        pass(weather, random, () => this.onmessage?.({ data }), cut)
      })
      this.#socket.on('close', code => this.onclose?.({ code, reason: '' }))
      this.#socket.on('error', () => this.onerror?.(undefined as never))
    }
    get readyState() {
      return this.#socket.readyState
    }
    send(text: string) {
      const hand = () => {
        if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text)
      }
      pass(weather, random, hand, () => this.#socket.terminate())
    }
    close() {
      this.#socket.terminate()
    }
  }
}

/** The same for calls and event streams: calls fail, streams break off at any byte and lose or double frames. */
export function flakyFetch(weather: Weather, random: () => number): typeof fetch {
  return async (input, init) => {
    if (random() < weather.cut) throw new TypeError('fetch failed')
    const response = await fetch(input, init)
    if (random() < weather.cut) throw new TypeError('network error')
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (!isStream || response.body === null) return response
    const body = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(flakyFrames(weather, random))
    return new Response(body.pipeThrough(new TextEncoderStream()), response)
  }
}

function flakyFrames(weather: Weather, random: () => number): TransformStream<string, string> {
  let rest = ''
  return new TransformStream({
    transform(piece, controller) {
      const frames = (rest + piece).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        let isCut = false
        const cut = () => {
          isCut = true
        }
        pass({ ...weather, delay: 0 }, random, () => controller.enqueue(`${frame}\n\n`), cut)
        if (!isCut) continue
        controller.enqueue(frame.slice(0, Math.floor(random() * frame.length)))
        return controller.error(new TypeError('network error'))
      }
    },
  })
}
