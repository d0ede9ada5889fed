import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chunk, ThreadChunk } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { stored, translateLines, type Recorded } from '../kit/lossless.fixture.ts'
import { opencode } from './index.ts'

type Fields = Readonly<Record<string, Json>>

/** An event of the main session by default. */
export const event = (type: string, properties: Fields = {}): string =>
  JSON.stringify({ id: 'evt', type, properties: { sessionID: 'S', ...properties } })

/** A message of the model, or of a person. */
export const message = (id: string, role = 'assistant', more: Fields = {}, sessionID = 'S'): string =>
  event('message.updated', {
    sessionID,
    info: { id, role, sessionID, providerID: 'p', modelID: 'm', time: { created: 1_000 }, ...more },
  })

/** A part of a message. */
export const part = (id: string, fields: Fields, messageID = 'a', sessionID = 'S'): string =>
  event('message.part.updated', { sessionID, part: { id, messageID, sessionID, ...fields } })

/** A delta of a part. */
export const delta = (partID: string, text: string, sessionID = 'S'): string =>
  event('message.part.delta', { sessionID, messageID: 'a', partID, field: 'text', delta: text })

/** The beginning and the end of a text part. */
export const opens = (id: string, type = 'text'): string => part(id, { type, text: '', time: { start: 1 } })
export const ends = (id: string, text: string, type = 'text', sessionID = 'S'): string =>
  part(id, { type, text, time: { start: 1, end: 2 } }, 'a', sessionID)

/** A tool call in one of its states. */
export const tool = (callID: string, state: Fields, name = 'bash', sessionID = 'S'): string =>
  part(`prt ${callID}`, { type: 'tool', tool: name, callID, state }, 'a', sessionID)
export const pending: Fields = { status: 'pending', input: {}, raw: '' }
export const running = (input: Fields, more: Fields = {}): Fields => ({ status: 'running', input, ...more })
export const completed = (input: Fields, output: string, metadata: Fields = {}): Fields => ({
  status: 'completed',
  input,
  output,
  title: 't',
  metadata,
})

/** The end of a request to the model. */
export const stepEnds = (id: string, tokens: number, reason = 'stop'): string =>
  part(id, {
    type: 'step-finish',
    reason,
    cost: tokens / 1_000,
    tokens: { input: tokens, output: tokens, reasoning: 5, cache: { read: 1, write: 2 } },
  })

/** A session is at work, or idle. */
export const busy = (sessionID = 'S'): string =>
  event('session.status', { sessionID, status: { type: 'busy' } })
export const idle = (sessionID = 'S'): string => event('session.idle', { sessionID })

/** The conversation begins. */
export const created = event('session.created', {
  info: { id: 'S', version: '1.18.33', directory: '/w', model: { id: 'm', providerID: 'p' } },
})

/** The result of some lines: well-formed chunks, and the stored messages. */
export interface Translated extends Pick<Recorded, 'messages'> {
  readonly chunks: readonly ThreadChunk[]
  readonly main: readonly Chunk[]
}

/** Translates lines after those by which a session begins. */
export function translateSession(...lines: readonly string[]): Translated {
  return translated([created, message('u', 'user'), ...lines])
}

/** Translates lines with nothing before them. */
export const translateOnly = (...lines: readonly string[]): Translated => translated(lines)

/** Lines of one answer. */
export const inAnswer = (...lines: readonly string[]): Translated =>
  translateSession(busy(), message('a'), ...lines, idle())

/** A recording, translated. */
export const translateRecording = (name: string): Translated =>
  translated(
    readFileSync(join(import.meta.dirname, 'recordings', `${name}.jsonl`), 'utf8')
      .split('\n')
      .filter(Boolean),
  )

function translated(lines: readonly string[]): Translated {
  const chunks = translateLines(opencode, lines)
  assertWellFormed(chunks)
  const main = chunks.flatMap(({ thread, chunk }) => (thread === null ? [chunk] : []))
  return { chunks, main, messages: stored(chunks) }
}
