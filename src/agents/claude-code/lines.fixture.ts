import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chunk, Thread, ThreadChunk } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import type { RawMessage } from '../agent.ts'
import { translateLines } from '../kit/lossless.fixture.ts'
import { claudeCode } from './index.ts'
import { readRecorded } from './recorded.ts'

/** The lines of a recording. */
export function recording(name: string): readonly RawMessage[] {
  const text = readFileSync(join(import.meta.dirname, 'recordings', `${name}.jsonl`), 'utf8')
  return text.split('\n').filter(Boolean).map(readRecorded)
}

/** A line of Claude Code. */
export const line = (fields: object): RawMessage => ({ from: 'agent', text: JSON.stringify(fields) })

/** A line of ours. */
export const ours = (fields: object): RawMessage => ({ from: 'host', text: JSON.stringify(fields) })

/** A piece of the stream of a model's message. */
export const event = (fields: object, more: object = {}): RawMessage =>
  line({ type: 'stream_event', event: fields, parent_tool_use_id: null, ...more })

/** The beginning of a model's message. */
export const begin = (id: string) => event({ type: 'message_start', message: { id, model: 'm', usage: {} } })

/** A block as it begins, grows and ends. */
export const block = (
  index: number,
  content_block: object,
  ...deltas: readonly object[]
): readonly RawMessage[] => [
  event({ type: 'content_block_start', index, content_block }),
  ...deltas.map(delta => event({ type: 'content_block_delta', index, delta })),
]

/** The end of a block. */
export const stop = (index: number) => event({ type: 'content_block_stop', index })

/** Whole blocks of a model's message. */
export const whole = (id: string, content: readonly object[], more: object = {}): RawMessage =>
  line({ type: 'assistant', message: { id, content }, parent_tool_use_id: null, ...more })

/** Results of tools. */
export const results = (content: readonly object[], more: object = {}): RawMessage =>
  line({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, ...more })

/** The end of an answer. */
export const result = (more: object = {}): RawMessage =>
  line({ type: 'result', subtype: 'success', is_error: false, duration_ms: 1, ...more })

/** The chunks of some lines, checked against the rules of the stream. */
export function chunksOf(lines: readonly RawMessage[]): readonly ThreadChunk[] {
  const chunks = translateLines(claudeCode, lines)
  assertWellFormed(chunks)
  return chunks
}

/** The chunks of one thread. */
export function inThread(lines: readonly RawMessage[], thread: Thread = null): readonly Chunk[] {
  return chunksOf(lines).flatMap(each => (each.thread === thread ? [each.chunk] : []))
}

/** The chunks of one type. */
export function only<Type extends Chunk['type']>(
  chunks: readonly Chunk[],
  type: Type,
): readonly Extract<Chunk, { readonly type: Type }>[] {
  return chunks.filter((chunk): chunk is Extract<Chunk, { readonly type: Type }> => chunk.type === type)
}

/** Notices by their code. */
export function noticesIn(chunks: readonly Chunk[]): readonly (readonly [code: string, message: string])[] {
  return only(chunks, 'data-notice').map(({ data }) => [data.code, data.message])
}

/** The text of some chunks. */
export const textIn = (chunks: readonly Chunk[]): string =>
  only(chunks, 'text-delta')
    .map(({ delta }) => delta)
    .join('')

/** The facts at the end of each message. */
export const endingsIn = (chunks: readonly Chunk[]): readonly Readonly<Record<string, Json>>[] =>
  only(chunks, 'finish')
    .map(({ messageMetadata }) => messageMetadata)
    .filter(metadata => metadata !== undefined)
