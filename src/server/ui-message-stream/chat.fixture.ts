import { expect } from 'vitest'
import type { Chunk } from '../../protocol/chunk.ts'
import { createPuppet, type Act } from '../../sessions/puppet.fixture.ts'
import { eventually, type Served } from '../streams/served.fixture.ts'

/** A message of a person. */
export const user = (id: string, text: string) => ({ id, role: 'user', parts: [{ type: 'text', text }] })

/** The complete response to a chat request. */
export interface Told {
  readonly status: number
  readonly headers: Headers
  readonly chunks: readonly Chunk[]
  readonly isDone: boolean
  readonly text: string
}

/** Reads a response to its end. */
export async function read(response: Response): Promise<Told> {
  const text = await response.text()
  const data = text.split('\n\n').flatMap(frame => (frame.startsWith('data: ') ? [frame.slice(6)] : []))
  return {
    status: response.status,
    headers: response.headers,
    chunks: data.filter(each => each.startsWith('{')).map(each => JSON.parse(each) as Chunk),
    isDone: data.at(-1) === '[DONE]',
    text,
  }
}

/** Posts a chat. */
export const post = (served: Served, body: unknown, query = '', signal?: AbortSignal) =>
  fetch(`${served.url}/api/chat${query}`, {
    method: 'POST',
    headers: { ...served.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })

/** Posts a chat, and reads the stream to its end. */
export const chat = async (served: Served, body: unknown, query = '') => read(await post(served, body, query))

/** Requests the stream of a running answer. */
export const resume = (served: Served, id: string) =>
  fetch(`${served.url}/api/chat/${id}/stream`, { headers: served.headers })

/** The messages of a session as they are kept. */
export const stored = async (served: Served, session: string) =>
  (await served.call('listMessages', { params: { session } })).json.messages

/** An agent that ends its answer only when the test allows it. */
export function createPrompter() {
  const waiting = new Map<string, () => void>()
  const act: Act = async ({ say, text }) => {
    say({ t: 'begin' })
    say({ t: 'say', text: `begin ${text}` })
    await new Promise<void>(resolve => waiting.set(text, resolve))
    say({ t: 'say', text: `end ${text}` })
    say({ t: 'end' })
  }
  const release = async (text: string) => {
    await eventually(() => waiting.has(text)).toBe(true)
    waiting.get(text)?.()
  }
  return { agent: createPuppet({ act }), release }
}

/** Expects no error in the log, where for example the linter reports. */
export const noErrors = ({ lines }: Served) =>
  expect(lines.filter(line => line.includes('"level":"error"'))).toEqual([])
