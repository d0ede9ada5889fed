import { readFileSync } from 'node:fs'
import { readUIMessageStream, type UIMessageChunk } from 'ai'
import { createMessages } from '../../projections/messages.ts'
import type { Chunk, Thread, ThreadChunk } from '../../protocol/chunk.ts'
import type { ConnectionId, EntryId, SessionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { Message, MessagePart } from '../../protocol/message.ts'
import { openParts } from '../../protocol/open-parts.ts'
import type { Agent, RawMessage } from '../agent.ts'

const connection = 'recording' as ConnectionId

/** A recording: its native messages, their chunks, and the stored messages. */
export interface Recorded {
  readonly native: readonly Readonly<Record<string, Json>>[]
  readonly chunks: readonly ThreadChunk[]
  readonly messages: readonly { readonly thread: Thread; readonly message: Message }[]
}

/** Translates a recording and folds it as it would be stored; open parts are closed. */
export function readRecorded(agent: Agent, file: string): Recorded {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line !== '')
  const chunks = translateLines(agent, lines)
  return {
    native: lines.map(line => JSON.parse(line) as Readonly<Record<string, Json>>),
    chunks,
    messages: stored(chunks),
  }
}

/** The chunks of an agent's lines, and optionally of ours, plus the chunks that close what is still open. */
export function translateLines(
  agent: Agent,
  lines: readonly (string | RawMessage)[],
): readonly ThreadChunk[] {
  let state = agent.initial(connection)
  let open = openParts.initial
  const chunks = lines.flatMap(line => {
    const raw: RawMessage = typeof line === 'string' ? { from: 'agent', text: line } : line
    const [next, added] = agent.translate(state, raw)
    state = next
    open = added.reduce(openParts.apply, open)
    return added
  })
  return [...chunks, ...openParts.closeAll(open, { errorText: 'The agent ended.', reason: 'interrupted' })]
}

/** The stored messages of some chunks. */
export function stored(chunks: readonly ThreadChunk[]): Recorded['messages'] {
  const messages = createMessages()
  messages.apply({
    session: 'recording' as SessionId,
    id: '' as EntryId,
    at: 0,
    seq: 1,
    event: { type: 'agent-spoke', interaction: null, connection, raw: '', chunks },
  })
  return [...messages.view()].flatMap(([thread, kept]) => kept.map(({ message }) => ({ thread, message })))
}

/** All stored parts of one type. */
export function partsOf<Type extends MessagePart['type']>(
  { messages }: Pick<Recorded, 'messages'>,
  type: Type,
): readonly Extract<MessagePart, { readonly type: Type }>[] {
  return messages
    .flatMap(({ message }) => message.parts)
    .filter((part): part is Extract<MessagePart, { readonly type: Type }> => part.type === type)
}

/** The messages as the AI SDK's own client builds them, without retracted parts and metadata of approvals. */
export async function foldedBySdk({ chunks }: Recorded): Promise<readonly unknown[]> {
  const groups = new Map<string, Chunk[]>()
  const current = new Map<Thread, string>()
  for (const { thread, chunk } of chunks) {
    if (chunk.type === 'start') current.set(thread, chunk.messageId)
    const id = `${thread ?? ''} ${current.get(thread) ?? ''}`
    if (chunk.type !== 'error') groups.set(id, [...(groups.get(id) ?? []), chunk])
  }
  return await Promise.all([...groups.values()].map(lastOf))
}

async function lastOf(chunks: readonly Chunk[]): Promise<unknown> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(structuredClone(chunk))
      controller.close()
    },
  })
  let message: unknown
  for await (const next of readUIMessageStream({ stream, terminateOnError: true })) message = next
  return withoutRetracted(JSON.parse(JSON.stringify(message)) as Message)
}

/** The only allowed difference: retracted parts are not stored. */
function withoutRetracted(message: Message): Message {
  const gone = new Set(
    message.parts.flatMap(part => (part.type === 'data-retracted' ? part.data.indexes : [])),
  )
  return { ...message, parts: message.parts.filter((_, index) => !gone.has(index)) }
}

/** A value after a round trip through JSON. */
export const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** A text in a message, and the names of the fields that lead to it. */
export interface Leaf {
  readonly path: string
  readonly value: string
}

/** Every text in a value, with its path; positions in lists are ignored. */
export function leavesOf(value: Json, path = ''): readonly Leaf[] {
  if (typeof value === 'string') return value === '' ? [] : [{ path, value }]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(each => leavesOf(each as Json, path))
  return Object.entries(value).flatMap(([name, each]) =>
    leavesOf(each, path === '' ? name : `${path}.${name}`),
  )
}
