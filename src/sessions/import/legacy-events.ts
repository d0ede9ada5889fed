import type { LegacyInteraction, LegacyMessage, Migrated } from '../../context/legacy/migrate.ts'
import type { ContentPart, FilePart, Part } from '../../context/formats/conversation.ts'
import { serializeSeal } from '../../context/formats/ui-messages/seal.ts'
import type { Chunk, ProviderMetadata, ThreadChunk } from '../../protocol/chunk.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Event } from '../../protocol/event.ts'
import type { ConnectionId, InteractionId, PromptId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { openParts, type OpenParts } from '../../protocol/open-parts.ts'
import { finish, type Steps } from '../../protocol/steps.ts'
import { legacyAgent, legacyConnection } from '../legacy-names.ts'

const closing = { errorText: 'The array has no result of it.', reason: 'interrupted' } as const

interface Building {
  readonly events: Event[]
  readonly connection: ConnectionId
  /** The id of each call in the array, by its unique id here: some programs use ids twice. */
  readonly calls: Map<string, string>
  /** The last number that was tried for each id that is used again. */
  readonly tried: Map<string, number>
  open: OpenParts
}

/** Turns an old flat array into the events of a session: each message once, with its original JSON as the raw. */
export const legacyEvents = (migrated: Migrated): readonly Event[] => finish(legacyEventsInSteps(migrated))

/** The same, one message in each step. */
export function* legacyEventsInSteps({ format, interactions }: Migrated): Steps<readonly Event[]> {
  const connection = legacyConnection(format)
  const building: Building = {
    events: [],
    connection,
    calls: new Map(),
    tried: new Map(),
    open: openParts.initial,
  }
  for (const interaction of interactions) yield* addInteraction(building, interaction)
  return building.events
}

function* addInteraction(building: Building, { id, trigger, messages }: LegacyInteraction): Steps<void> {
  const interaction = id as InteractionId
  const asked = trigger === 'user' ? messages.slice(0, 1) : leading(messages)
  const [prompt = null] = asked
  building.events.push({
    type: 'interaction-started',
    interaction,
    trigger,
    agent: legacyAgent,
    prompt: prompt === null ? null : (prompt.id as PromptId),
    parts: asked.flatMap(({ parts }) => parts.flatMap(promptPart)),
    ...(prompt?.role === 'system' && { role: 'system' }),
  })
  for (const message of messages) {
    yield
    addMessage(building, interaction, message)
  }
  building.events.push({
    type: 'interaction-ended',
    interaction,
    outcome: 'finished',
    reason: null,
    chunks: take(building, ending(building.open)),
  })
}

/** The instructions with which an interaction begins. */
function leading(messages: readonly LegacyMessage[]): readonly LegacyMessage[] {
  const end = messages.findIndex(({ role }) => role !== 'system')
  return end === -1 ? messages : messages.slice(0, end)
}

function addMessage(building: Building, interaction: InteractionId, message: LegacyMessage): void {
  const { role, parts, original } = message
  const isAnswer = role === 'assistant'
  const chunks = isAnswer
    ? answerChunks(building, message)
    : parts.flatMap(part => take(building, resultChunks(building, part).map(inMain)))
  building.events.push({
    type: isAnswer ? 'agent-spoke' : 'host-spoke',
    interaction,
    connection: building.connection,
    raw: JSON.stringify(original),
    chunks,
  })
}

function take(building: Building, chunks: readonly ThreadChunk[]): readonly ThreadChunk[] {
  building.open = chunks.reduce(openParts.apply, building.open)
  return chunks
}

/** The chunks that end an answer. Calls without results are closed first. */
function ending(open: OpenParts): readonly ThreadChunk[] {
  const isPlain = open.messages.every(({ calls, words }) => calls.length + words.length === 0)
  if (!isPlain) return openParts.closeAll(open, closing)
  return open.messages.length === 0
    ? []
    : [inMain({ type: 'finish-step' }), inMain({ type: 'finish', finishReason: 'stop' })]
}

const inMain = (chunk: Chunk): ThreadChunk => ({ thread: null, chunk })

function answerChunks(building: Building, { id, parts }: LegacyMessage): readonly ThreadChunk[] {
  const begin = [inMain({ type: 'start', messageId: id }), inMain({ type: 'start-step' })]
  return [
    ...take(building, ending(building.open)),
    ...take(building, begin),
    ...parts.flatMap(part => take(building, partChunks(building, part).map(inMain))),
  ]
}

function partChunks(building: Building, part: Part): readonly Chunk[] {
  const { id } = part
  switch (part.kind) {
    case 'text':
      return [
        { type: 'text-start', id },
        { type: 'text-delta', id, delta: part.text },
        { type: 'text-end', id },
      ]
    case 'reasoning':
      return [
        { type: 'reasoning-start', id, ...sealed(part) },
        { type: 'reasoning-delta', id, delta: part.text },
        { type: 'reasoning-end', id },
      ]
    case 'call': {
      const { call, tool: toolName, input } = part
      refuseManyOpen(building.open)
      const toolCallId = freeName(call, building)
      building.calls.set(toolCallId, call)
      return [{ type: 'tool-input-available', toolCallId, toolName, input, ...ran }]
    }
    case 'result':
      return resultChunks(building, part)
    case 'file': {
      const url = urlOf(part)
      return url === null ? [] : [{ type: 'file', url, mediaType: part.mediaType }]
    }
    case 'unknown':
      return []
  }
}

/** Each chunk looks through the open calls of its message. No agent runs so many at once. */
const mostOpenCalls = 1000

function refuseManyOpen({ messages }: OpenParts): void {
  if (messages.every(({ calls }) => calls.length < mostOpenCalls)) return
  const most = `more than ${mostOpenCalls} tool calls without results`
  throw new DragomanError(
    'invalid-input',
    `A message of the array has ${most}. Put them into several messages.`,
  )
}

/** A provider wants its thinking back as it sealed it. */
function sealed({ seal }: Part): { readonly providerMetadata?: ProviderMetadata } {
  const providerMetadata = serializeSeal(seal) as ProviderMetadata | undefined
  return providerMetadata === undefined ? {} : { providerMetadata }
}

/** A name for a call that no call before it has. */
function freeName(wanted: string, { calls, tried }: Building): string {
  for (let number = (tried.get(wanted) ?? 0) + 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}_${number}`
    if (name === '' || calls.has(name)) continue
    tried.set(wanted, number)
    return name
  }
}

/** Tools ran on the server side, not in the page. */
const ran = { dynamic: true, providerExecuted: true } as const

/** A result of an open call. Any other result is kept only as raw JSON. */
function resultChunks({ open, calls }: Building, part: Part): readonly Chunk[] {
  if (part.kind !== 'result') return []
  const waiting = open.messages
    .flatMap(message => message.calls)
    .find(({ toolCallId }) => calls.get(toolCallId) === part.call)
  return waiting === undefined ? [] : outputOf(waiting.toolCallId, part.content, part.isError)
}

function outputOf(toolCallId: string, content: readonly ContentPart[], isError: boolean): readonly Chunk[] {
  const values = content.map(valueOf)
  const isText = values.every(value => typeof value === 'string')
  const output: Json = isText ? values.join('\n') : values.length === 1 ? (values[0] ?? null) : values
  if (!isError) return [{ type: 'tool-output-available', toolCallId, output, ...ran }]
  const errorText = typeof output === 'string' ? output : JSON.stringify(output)
  return [{ type: 'tool-output-error', toolCallId, errorText, ...ran }]
}

function valueOf(part: ContentPart): Json {
  if (part.kind === 'text') return part.text
  return part.kind === 'json' ? part.value : (part.native?.json ?? null)
}

function promptPart(part: Part): readonly PromptPart[] {
  if (part.kind === 'text') return [{ type: 'text', text: part.text }]
  const url = part.kind === 'file' ? urlOf(part) : null
  if (part.kind !== 'file' || url === null) return []
  const { mediaType, name } = part
  return [{ type: 'file', url, mediaType, ...(name !== undefined && { filename: name }) }]
}

function urlOf({ source, mediaType }: FilePart): string | null {
  if ('url' in source) return source.url
  if ('data' in source) return `data:${mediaType};base64,${source.data}`
  return 'text' in source ? `data:${mediaType},${encodeURIComponent(source.text)}` : null
}
