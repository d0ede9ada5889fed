import type { Thread } from '../../protocol/chunk.ts'
import { createEventCutter } from '../../protocol/server-sent-events.ts'
import { asObject } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'
import { cutStream, endless, movedAway, noStream, type ModelFailure } from './failure.ts'
import { requestLine, type Sent } from './request-line.ts'
import type { Settings } from './settings.ts'
import type { LineWriter } from './line-writer.ts'

/** The state for requests of one thread. */
export interface Relay {
  readonly fetch: typeof globalThis.fetch
  /** The newest request. */
  readonly request: string | null
  /** Why we gave it up ourselves; the SDK would report it in its own words. */
  readonly failure: ModelFailure | null
}

/** What a relay needs. */
export interface RelayOptions {
  readonly writer: LineWriter
  readonly settings: Settings
  readonly thread: Thread
  readonly nextRequest: () => string
}

const longestRefusal = 64 * 1024
const longestAnswer = 64 * 1024 * 1024
const longestEvent = 16 * 1024 * 1024

/**
 * Sends requests so that everything is stored: a request is saved first, without its headers, which have the key; a
 * response is passed on as it comes, event by event.
 */
export function createRelay({ writer, settings, thread, nextRequest }: RelayOptions): Relay {
  let request: string | null = null
  let sent: Sent | null = null
  let failure: ModelFailure | null = null

  const send: typeof globalThis.fetch = async (input, init) => {
    const url = withoutQuery(input instanceof Request ? input.url : String(input))
    const text = typeof init?.body === 'string' ? init.body : ''
    request = nextRequest()
    const own = request
    failure = null
    const line = requestLine({ request: own, thread, url, text }, sent)
    sent = { request: own, body: asObject(parseJson(text)) }
    await writer.writeOurs({ ...line })
    const silence = createSilence(settings.silenceMs)
    const signals = [silence.signal, ...(init?.signal ? [init.signal] : [])]
    try {
      // A key must not be sent to another address.
      const response = await globalThis.fetch(input, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.any(signals),
      })
      if (!response.ok || response.body === null || isNoStream(response)) {
        const answer = await refused(response, own)
        silence.end()
        return answer
      }
      await writer.write({ dragoman: 'response', request: own, thread, api: settings.api })
      const headers = new Headers(response.headers)
      headers.delete('content-encoding')
      return new Response(relayed(response.body, own, silence), { status: response.status, headers })
    } catch (error) {
      silence.end()
      if (silence.signal.aborted) throw cutStream(settings)
      throw error
    }
  }

  const refused = async (response: Response, own: string) => {
    const body = await beginningOf(response)
    await writer.write({ dragoman: 'refused', request: own, thread, status: response.status, body })
    const { status, headers } = response
    if (status >= 300 && status < 400) throw movedAway(status, settings)
    if (response.ok) throw noStream(headers.get('content-type') ?? '', settings)
    return new Response(body, { status, headers })
  }

  async function* events(body: ReadableStream<Uint8Array>, own: string, silence: Silence) {
    const decoder = new TextDecoder()
    const cutter = createEventCutter()
    const relay = async (text: string) => {
      const event = withoutBreaks(text)
      if (event !== '') await writer.relay(own, event)
    }
    let [size, waiting] = [0, 0]
    try {
      for await (const bytes of body) {
        silence.reset()
        size += bytes.length
        if (size > longestAnswer || waiting > longestEvent) throw (failure = endless(settings))
        const complete = cutter.add(decoder.decode(bytes, { stream: true }))
        waiting = complete.length > 0 ? 0 : waiting + bytes.length
        for (const event of complete) await relay(event)
        yield bytes
      }
      await relay(cutter.rest())
    } finally {
      silence.end()
    }
  }

  const relayed = (body: ReadableStream<Uint8Array>, own: string, silence: Silence) =>
    ReadableStream.from(events(body, own, silence))

  return {
    fetch: send,
    get request() {
      return request
    },
    get failure() {
      return failure
    },
  }
}

/** The text without the line breaks around it. */
function withoutBreaks(text: string): string {
  const first = text.search(/[^\r\n]/)
  let end = text.length
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1
  return first === -1 ? '' : text.slice(first, end)
}

/** Some services send no content type; these two types mean something else than a stream. */
const isNoStream = ({ headers }: Response) =>
  /^(text\/html|application\/json)\b/i.test(headers.get('content-type') ?? '')

async function beginningOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body ?? []) {
    pieces.push(piece)
    size += piece.length
    if (size >= longestRefusal) break
  }
  return Buffer.concat(pieces).subarray(0, longestRefusal).toString('utf8')
}

interface Silence {
  readonly signal: AbortSignal
  reset(): void
  end(): void
}

/** Gives up when nothing comes for too long. */
function createSilence(milliseconds: number): Silence {
  const controller = new AbortController()
  const giveUp = () => controller.abort(new Error('The service stopped sending data.'))
  let timer = setTimeout(giveUp, milliseconds)
  return {
    signal: controller.signal,
    reset() {
      clearTimeout(timer)
      timer = setTimeout(giveUp, milliseconds)
    },
    end: () => clearTimeout(timer),
  }
}

/** Some services would accept a key in the address. */
const withoutQuery = (url: string) => url.split('?')[0] ?? url
