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

/** A line that the agent says. */
export const theirs = (message: Json): RawMessage => ({ from: 'agent', text: JSON.stringify(message) })
/** A line that we say. */
export const ours = (message: Json): RawMessage => ({ from: 'host', text: JSON.stringify(message) })

/** News of the session. */
export const update = (sessionUpdate: string, more: Readonly<Record<string, Json>>): RawMessage =>
  theirs({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId: 's', update: { sessionUpdate, ...more } },
  })

/** A piece of text of the agent. */
export const text = (words: string, messageId?: string): RawMessage =>
  update('agent_message_chunk', {
    content: { type: 'text', text: words },
    ...(messageId === undefined ? {} : { messageId }),
  })

/** A session is opened. */
export const opened: readonly RawMessage[] = [
  ours({ id: 1, method: 'initialize', params: { protocolVersion: 1 } }),
  theirs({ id: 1, result: { protocolVersion: 1, agentInfo: { name: 'some-agent', version: '1.2.3' } } }),
  ours({ id: 2, method: 'session/new', params: { cwd: '/work', mcpServers: [] } }),
  theirs({ id: 2, result: { sessionId: 's', models: { currentModelId: 'm' } } }),
]

/** We prompt. */
export const prompt = (id = 3): RawMessage =>
  ours({ id, method: 'session/prompt', params: { sessionId: 's', prompt: [{ type: 'text', text: 'Go' }] } })
/** A prompt is answered to its end. */
export const done = (id = 3, stopReason = 'end_turn'): RawMessage => theirs({ id, result: { stopReason } })
/** We answer a request for permission. */
export const choose = (id: Json, optionId: string | null): RawMessage =>
  ours({
    id,
    result: { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } },
  })

/** The usual ways to answer a request for permission. */
export const options: Json = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]

/** The chunks that some lines give, without those that only open and close. */
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

/** The calls that are kept of some lines after a prompt. */
export function toolsOf(lines: readonly RawMessage[]): readonly ToolPart[] {
  const chunks = translateLines(acp, [...opened, prompt(), ...lines])
  assertWellFormed(chunks)
  return partsOf({ messages: stored(chunks) }, 'dynamic-tool')
}

type Facts = Readonly<Record<string, Json>>

/** The first news of a call. */
export const call = (toolCallId: string, more: Facts = {}) => update('tool_call', { toolCallId, ...more })
/** More news of a call. */
export const news = (toolCallId: string, more: Facts = {}) =>
  update('tool_call_update', { toolCallId, ...more })
/** A request for permission. */
export const ask = (id: Json, toolCall: Facts) =>
  theirs({ id, method: 'session/request_permission', params: { sessionId: 's', toolCall, options } })
/** Text as the content of a call. */
export const said = (words: string): Json => [{ type: 'content', content: { type: 'text', text: words } }]

/** The calls that are kept of a recording. */
export const recordedTools = (name: string) =>
  partsOf(readBothSides(acp, join(import.meta.dirname, 'recordings', `${name}.jsonl`)), 'dynamic-tool')

/** The messages that are kept of some lines. */
export function messagesOf(lines: readonly RawMessage[]): readonly Message[] {
  const chunks = translateLines(acp, lines)
  assertWellFormed(chunks)
  return stored(chunks).map(({ message }) => message)
}

/** The texts that are kept of some lines, part by part. */
export function textsOf(lines: readonly RawMessage[]): readonly string[] {
  const parts = messagesOf(lines).flatMap(message => message.parts)
  return parts.flatMap(part => (part.type === 'text' ? [part.text] : []))
}
