import { DragomanError } from '../../protocol/error.ts'
import { asObject, type Json } from '../../protocol/json.ts'
import { objectOf, textOf } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'

/** The address of a server and its password. */
export interface Address {
  readonly url: string
  readonly password: string
}

/** The longest reply that is read, in bytes. The messages of a session can be of any length. */
const longestReply = 64 * 1024 * 1024

/** Sends a request, and returns the reply; null when the reply is empty. Throws when it is longer than 64 MiB. */
export async function request(
  { url, password }: Address,
  method: 'GET' | 'POST',
  path: string,
  body: Json | undefined,
  signal: AbortSignal,
): Promise<Json> {
  const response = await reach(`${url}${path}`, {
    method,
    headers: { ...authorization(password), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
  })
  const text = await textWithin(response, method, path)
  if (!response.ok) throw refused(method, path, response.status, text)
  return text === '' ? null : (parseJson(text) ?? null)
}

async function textWithin({ body }: Response, method: string, path: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.length
    if (length > longestReply)
      throw new DragomanError(
        'agent-unavailable',
        `OpenCode's reply to "${method} ${path}" is longer than 64 MiB, so it was not read.`,
      )
    text += decoder.decode(piece, { stream: true })
  }
  return text + decoder.decode()
}

/** Opens the stream of events. It ends with the server, or at an abort. */
export async function openEvents(
  { url, password }: Address,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const headers = { ...authorization(password), accept: 'text/event-stream' }
  const response = await reach(`${url}/event`, { headers, signal })
  if (!response.ok || !response.body) throw refused('GET', '/event', response.status, '')
  return response.body
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    throw new DragomanError('agent-unavailable', 'OpenCode is not running: its server has exited.', {
      cause: error,
    })
  }
}

const authorization = (password: string) => ({
  authorization: `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`,
})

function refused(method: string, path: string, status: number, text: string): DragomanError {
  const body = asObject(parseJson(text))
  const message = textOf(objectOf(body, 'data'), 'message') || textOf(body, 'message') || text.slice(0, 200)
  const why = message === '' ? '' : `: ${message}`
  return new DragomanError('agent-unavailable', `OpenCode refused "${method} ${path}" (${status})${why}`, {
    status,
  })
}
