import type { LegacyInteraction, LegacyMessage, Migrated } from '../../context/legacy/migrate.ts'
import type { ContentPart, FilePart, Part } from '../../context/formats/conversation.ts'
import { saidSeal } from '../../context/formats/ui-messages/seal.ts'
import type { Chunk, ProviderMetadata, ThreadChunk } from '../../protocol/chunk.ts'
import type { Event } from '../../protocol/event.ts'
import type { ConnectionId, InteractionId, PromptId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { openParts, type OpenParts } from '../../protocol/open-parts.ts'
import { legacyAgent, legacyConnection } from '../legacy-names.ts'

const closing = { errorText: 'The array has no result of it.', reason: 'interrupted' } as const

interface Telling {
  readonly events: Event[]
  readonly connection: ConnectionId
  /** What each call that was told is called in the array, by a name that no other has: some programs count anew. */
  readonly calls: Map<string, string>
  open: OpenParts
}

/** An old flat array as the events of a session: each message once, with its JSON as it was beside what it says. */
export function legacyEvents({ format, interactions }: Migrated): readonly Event[] {
  const connection = legacyConnection(format)
  const telling: Telling = { events: [], connection, calls: new Map(), open: openParts.initial }
  for (const interaction of interactions) tellInteraction(telling, interaction)
  return telling.events
}

function tellInteraction(telling: Telling, { id, trigger, messages }: LegacyInteraction): void {
  const interaction = id as InteractionId
  const asked = trigger === 'user' ? messages.slice(0, 1) : leading(messages)
  const [prompt = null] = asked
  telling.events.push({
    type: 'interaction-started',
    interaction,
    trigger,
    agent: legacyAgent,
    prompt: prompt === null ? null : (prompt.id as PromptId),
    parts: asked.flatMap(({ parts }) => parts.flatMap(promptPart)),
    ...(prompt?.role === 'system' && { role: 'system' }),
  })
  for (const message of messages) tellMessage(telling, interaction, message)
  telling.events.push({
    type: 'interaction-ended',
    interaction,
    outcome: 'finished',
    reason: null,
    chunks: take(telling, ending(telling.open)),
  })
}

/** The instructions with which an interaction begins. */
function leading(messages: readonly LegacyMessage[]): readonly LegacyMessage[] {
  const end = messages.findIndex(({ role }) => role !== 'system')
  return end === -1 ? messages : messages.slice(0, end)
}

function tellMessage(telling: Telling, interaction: InteractionId, message: LegacyMessage): void {
  const { role, parts, original } = message
  const isAnswer = role === 'assistant'
  const chunks = isAnswer
    ? answerChunks(telling, message)
    : parts.flatMap(part => take(telling, resultChunks(telling, part).map(inMain)))
  telling.events.push({
    type: isAnswer ? 'agent-spoke' : 'host-spoke',
    interaction,
    connection: telling.connection,
    raw: JSON.stringify(original),
    chunks,
  })
}

function take(telling: Telling, chunks: readonly ThreadChunk[]): readonly ThreadChunk[] {
  telling.open = chunks.reduce(openParts.apply, telling.open)
  return chunks
}

/** What ends an answer: plainly where all its calls have results. */
function ending(open: OpenParts): readonly ThreadChunk[] {
  const isPlain = open.messages.every(({ calls, words }) => calls.length + words.length === 0)
  if (!isPlain) return openParts.closeAll(open, closing)
  return open.messages.length === 0
    ? []
    : [inMain({ type: 'finish-step' }), inMain({ type: 'finish', finishReason: 'stop' })]
}

const inMain = (chunk: Chunk): ThreadChunk => ({ thread: null, chunk })

function answerChunks(telling: Telling, { id, parts }: LegacyMessage): readonly ThreadChunk[] {
  const begin = [inMain({ type: 'start', messageId: id }), inMain({ type: 'start-step' })]
  return [
    ...take(telling, ending(telling.open)),
    ...take(telling, begin),
    ...parts.flatMap(part => take(telling, partChunks(telling, part).map(inMain))),
  ]
}

function partChunks(telling: Telling, part: Part): readonly Chunk[] {
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
      const toolCallId = freeName(call, telling.calls)
      telling.calls.set(toolCallId, call)
      return [{ type: 'tool-input-available', toolCallId, toolName, input, ...ran }]
    }
    case 'result':
      return resultChunks(telling, part)
    case 'file': {
      const url = urlOf(part)
      return url === null ? [] : [{ type: 'file', url, mediaType: part.mediaType }]
    }
    case 'unknown':
      return []
  }
}

/** A provider wants its thinking back as it sealed it. */
function sealed({ seal }: Part): { readonly providerMetadata?: ProviderMetadata } {
  const providerMetadata = saidSeal(seal) as ProviderMetadata | undefined
  return providerMetadata === undefined ? {} : { providerMetadata }
}

function freeName(wanted: string, used: ReadonlyMap<string, string>): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}_${number}`
    if (name !== '' && !used.has(name)) return name
  }
}

/** Whoever ran a tool, it was not the page. */
const ran = { dynamic: true, providerExecuted: true } as const

/** A result of a call that is still open; any other is kept in the array's own words. */
function resultChunks({ open, calls }: Telling, part: Part): readonly Chunk[] {
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
