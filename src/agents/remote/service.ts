import { asObject, type Json } from '../../protocol/json.ts'
import { objectOf, textOf } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'
import { Refusal } from './refusal.ts'
import { readEvents, type ServiceEvent } from './read-events.ts'

/** The service protocol that this version of Dragoman uses. */
export const protocol = '1'

/** A service that runs programs on another machine. */
export interface Service {
  readonly url: string
  /** Throws a `Refusal` when the service refuses, and another error when it cannot be reached. */
  call(
    method: string,
    path: string,
    more?: { readonly body?: string; readonly signal?: AbortSignal },
  ): Promise<Json>
  /** The events of a session after a number. Ends when the connection ends, in any way. */
  events(session: string, after: number, signal: AbortSignal): Promise<AsyncIterable<ServiceEvent>>
}

/** The address of a service, and how long it may be silent. */
export interface ServicePlace {
  readonly url: string
  /** Read again for each call, so that a corrected token is used at once. */
  readonly token: () => Promise<string>
  readonly callMs: number
  readonly silenceMs: number
}

type Asked = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

/** Connects to a service. */
export function createService({ url, token, callMs, silenceMs }: ServicePlace): Service {
  const ask = async (method: string, path: string, { headers: own, ...more }: Asked) => {
    const headers = { authorization: `Bearer ${await token()}`, ...own }
    // A redirect would send the token to another server.
    const response = await fetch(`${url}${path}`, { ...more, method, headers, redirect: 'error' })
    if (response.ok && response.headers.get('dragoman-proxy') === protocol) return response
    throw await refusalOf(response)
  }
  return {
    url,
    async call(method, path, { body, signal } = {}) {
      const limit = AbortSignal.timeout(callMs)
      const response = await ask(method, path, {
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        ...(body !== undefined && { body, headers: { 'content-type': 'application/octet-stream' } }),
      })
      return (await response.json()) as Json
    },
    async events(session, after, signal) {
      const silence = new AbortController()
      const headers = { accept: 'text/event-stream', 'last-event-id': String(after) }
      const late = setTimeout(() => silence.abort(new Error('no answer in time')), callMs)
      try {
        const either = AbortSignal.any([signal, silence.signal])
        const response = await ask('GET', `/v1/sessions/${session}/events`, { headers, signal: either })
        return readEvents(watched(response, silence, silenceMs))
      } finally {
        clearTimeout(late)
      }
    },
  }
}

/** The bytes of an answer; it is cut off when nothing comes for too long, not even a heartbeat. */
async function* watched(
  response: Response,
  silence: AbortController,
  silenceMs: number,
): AsyncGenerator<Uint8Array> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  try {
    for (;;) {
      const timer = setTimeout(() => silence.abort(new Error('no response')), silenceMs)
      const { value, done } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return
      yield value
    }
  } finally {
    // A reader that stops closes the connection.
    await reader.cancel().catch(() => undefined)
  }
}

const badGateway = 500

/** The meaning of a bad answer: a refusal, or a service that cannot be reached for now. */
async function refusalOf(response: Response): Promise<Error> {
  const text = await response.text().catch(() => '')
  const spoken = response.headers.get('dragoman-proxy')
  if (response.status >= badGateway) return new Error(`answer ${response.status}`)
  if (spoken === null) return new Refusal('no-service', `answer ${response.status}`)
  if (spoken !== protocol) return new Refusal('wrong-version', spoken)
  const error = objectOf(asObject(parseJson(text)), 'error')
  return new Refusal(textOf(error, 'code'), textOf(error, 'message'))
}
