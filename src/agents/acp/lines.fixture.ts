import { join } from 'node:path'
import type { Chunk } from '../../protocol/chunk.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { Message, ToolPart } from '../../protocol/message.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import type { RawMessage } from '../agent.ts'
import { partsOf, stored, translateLines } from '../kit/lossless.fixture.ts'
import { acp } from './index.ts'
import { readBothSides } from './lossless.fixture.ts'
import { initial, translate } from './translate.ts'

/** A line of the agent. */
export const theirs = (message: Json): RawMessage => ({ from: 'agent', text: JSON.stringify(message) })
/** A line of ours. */
export const ours = (message: Json): RawMessage => ({ from: 'host', text: JSON.stringify(message) })

/** An update of the session. */
export const update = (sessionUpdate: string, more: Readonly<Record<string, Json>>): RawMessage =>
  theirs({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId: 's', update: { sessionUpdate, ...more } },
  })

/** A piece of the agent's text. */
export const text = (piece: string, messageId?: string): RawMessage =>
  update('agent_message_chunk', {
    content: { type: 'text', text: piece },
    ...(messageId === undefined ? {} : { messageId }),
  })

/** A session is opened. */
export const opened: readonly RawMessage[] = [
  ours({ id: 1, method: 'initialize', params: { protocolVersion: 1 } }),
  theirs({ id: 1, result: { protocolVersion: 1, agentInfo: { name: 'some-agent', version: '1.2.3' } } }),
  ours({ id: 2, method: 'session/new', params: { cwd: '/work', mcpServers: [] } }),
  theirs({ id: 2, result: { sessionId: 's', models: { currentModelId: 'm' } } }),
]

/** Our prompt. */
export const prompt = (id = 3): RawMessage =>
  ours({ id, method: 'session/prompt', params: { sessionId: 's', prompt: [{ type: 'text', text: 'Go' }] } })
/** The end of a prompt's answer. */
export const done = (id = 3, stopReason = 'end_turn'): RawMessage => theirs({ id, result: { stopReason } })
/** Our answer to a permission request. */
export const choose = (id: Json, optionId: string | null): RawMessage =>
  ours({
    id,
    result: { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } },
  })

/** The usual options of a permission request. */
export const options: Json = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]

/** The chunks of some lines, without those that only open and close. */
export function chunksOf(lines: readonly RawMessage[]): readonly Chunk[] {
  let state = initial('c' as ConnectionId)
  return lines.flatMap(line => {
    const [next, chunks] = translate(state, line)
    state = next
    return chunks.map(({ chunk }) => chunk)
  })
}

/** The chunks of one type. */
export function ofType<Type extends Chunk['type']>(
  chunks: readonly Chunk[],
  type: Type,
): readonly Extract<Chunk, { readonly type: Type }>[] {
  return chunks.filter((chunk): chunk is Extract<Chunk, { readonly type: Type }> => chunk.type === type)
}

/** The stored calls of some lines after a prompt. */
export function toolsOf(lines: readonly RawMessage[]): readonly ToolPart[] {
  const chunks = translateLines(acp, [...opened, prompt(), ...lines])
  assertWellFormed(chunks)
  return partsOf({ messages: stored(chunks) }, 'dynamic-tool')
}

type Facts = Readonly<Record<string, Json>>

/** The first update of a call. */
export const call = (toolCallId: string, more: Facts = {}) => update('tool_call', { toolCallId, ...more })
/** A later update of a call. */
export const news = (toolCallId: string, more: Facts = {}) =>
  update('tool_call_update', { toolCallId, ...more })
/** A permission request. */
export const ask = (id: Json, toolCall: Facts) =>
  theirs({ id, method: 'session/request_permission', params: { sessionId: 's', toolCall, options } })
/** Text as the content of a call. */
export const textContent = (shown: string): Json => [
  { type: 'content', content: { type: 'text', text: shown } },
]

/** The stored calls of a recording. */
export const recordedTools = (name: string) =>
  partsOf(readBothSides(acp, join(import.meta.dirname, 'recordings', `${name}.jsonl`)), 'dynamic-tool')

/** The stored messages of some lines. */
export function messagesOf(lines: readonly RawMessage[]): readonly Message[] {
  const chunks = translateLines(acp, lines)
  assertWellFormed(chunks)
  return stored(chunks).map(({ message }) => message)
}

/** The stored texts of some lines, part by part. */
export function textsOf(lines: readonly RawMessage[]): readonly string[] {
  const parts = messagesOf(lines).flatMap(message => message.parts)
  return parts.flatMap(part => (part.type === 'text' ? [part.text] : []))
}
