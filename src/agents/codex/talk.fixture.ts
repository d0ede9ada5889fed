import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chunk, ThreadChunk } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { stored, translateLines, type Recorded } from '../kit/lossless.fixture.ts'
import { codex } from './index.ts'

type Params = Readonly<Record<string, Json>>

/** A notification of the app-server, by default in the first turn of the main thread. */
export const notification = (method: string, params: Params = {}, emittedAtMs = 0): string =>
  JSON.stringify({ method, params: { threadId: 'T', turnId: 'U', ...params }, emittedAtMs })

/** A request of the app-server. */
export const asks = (id: number, method: string, params: Params): string =>
  JSON.stringify({ id, method, params: { threadId: 'T', turnId: 'U', ...params } })

/** An item that begins, or is complete. */
export const begins = (item: Params, more: Params = {}): string =>
  notification('item/started', { item, ...more })
export const completes = (item: Params, more: Params = {}): string =>
  notification('item/completed', { item, ...more })

/** A command as an item. */
export const command = (id: string, more: Params = {}): Params => ({
  type: 'commandExecution',
  id,
  command: 'ls',
  cwd: '/w',
  status: 'inProgress',
  aggregatedOutput: null,
  exitCode: null,
  ...more,
})

/** More of a text. */
export const delta = (itemId: string, text: string, more: Params = {}): string =>
  notification('item/agentMessage/delta', { itemId, delta: text, ...more })

/** A text that is complete. */
export const text = (id: string, content: string, more: Params = {}): string =>
  completes({ type: 'agentMessage', id, text: content }, more)

/** A turn's beginning and end. */
export const turnBegins = (id = 'U', threadId = 'T'): string =>
  notification('turn/started', { threadId, turn: { id } })
export const turnEnds = (status = 'completed', more: Params = {}, id = 'U', threadId = 'T'): string =>
  notification('turn/completed', { threadId, turn: { id, status, durationMs: 5, ...more } })

/** The totals of a thread, with the same number for all kinds of tokens. */
export const sums = (total: number, last: number, more: Params = {}): string =>
  notification('thread/tokenUsage/updated', {
    tokenUsage: { total: counts(total), last: counts(last) },
    ...more,
  })
const counts = (tokens: number): Params => ({ inputTokens: tokens, outputTokens: tokens })

/** Our own answer to a request. */
export const ours = (id: number, result: Json) =>
  ({ from: 'host', text: JSON.stringify({ jsonrpc: '2.0', id, result }) }) as const

/** The response of the app-server that starts a thread. */
export const threadAnswer = (id = 'T'): string =>
  JSON.stringify({
    id: 2,
    result: { thread: { id, cwd: '/w', cliVersion: '0.166.0', model: 'm' }, model: 'm' },
  })

/** The translation of some lines: well-formed chunks, and the stored messages. */
export interface Translated extends Pick<Recorded, 'messages'> {
  readonly chunks: readonly ThreadChunk[]
  readonly main: readonly Chunk[]
}

/** Translates lines after the line that starts a thread. */
export function translated(...lines: Parameters<typeof translateLines>[1]): Translated {
  const chunks = translateLines(codex, [threadAnswer(), ...lines])
  assertWellFormed(chunks)
  const main = chunks.flatMap(({ thread, chunk }) => (thread === null ? [chunk] : []))
  return { chunks, main, messages: stored(chunks) }
}

/** Lines within one turn. */
export const inTurn = (...lines: Parameters<typeof translateLines>[1]): Translated =>
  translated(turnBegins(), ...lines, turnEnds())

/** The lines of a recording. */
export const linesOf = (name: string): readonly string[] =>
  readFileSync(join(import.meta.dirname, 'recordings', `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter(line => line !== '')

/** A recording, translated. */
export function translatedRecording(name: string): Translated {
  const chunks = translateLines(codex, linesOf(name))
  const main = chunks.flatMap(({ thread, chunk }) => (thread === null ? [chunk] : []))
  return { chunks, main, messages: stored(chunks) }
}
