import type { LegacyInteraction, LegacyMessage, Migrated } from '../../context/legacy/migrate.ts'
import type { ContentPart, FilePart, Part } from '../../context/formats/conversation.ts'
import type { Chunk, ThreadChunk } from '../../protocol/chunk.ts'
import type { Event } from '../../protocol/event.ts'
import type { ConnectionId, InteractionId, PromptId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { openParts, type OpenParts } from '../../protocol/open-parts.ts'

/** Who is said to have spoken in an array that does not tell. */
export const legacyAgent = 'legacy'

const connection = 'legacy' as ConnectionId
const closing = { errorText: 'The array has no result of it.', reason: 'interrupted' } as const

interface Telling {
  readonly events: Event[]
  /** The calls that were told, so that a second one of the same name is none. */
  readonly calls: Set<string>
  open: OpenParts
}

/** An old flat array as the events of a session: each message once, with its JSON as it was beside what it says. */
export function legacyEvents({ interactions }: Migrated): readonly Event[] {
  const telling: Telling = { events: [], calls: new Set(), open: openParts.initial }
  for (const interaction of interactions) tellInteraction(telling, interaction)
  return telling.events
}

function tellInteraction(telling: Telling, { id, trigger, messages }: LegacyInteraction): void {
  const interaction = id as InteractionId
  const [first] = messages
  const prompt = trigger === 'user' && first !== undefined ? first : null
  telling.events.push({
    type: 'interaction-started',
    interaction,
    trigger,
    agent: legacyAgent,
    prompt: prompt === null ? null : (prompt.id as PromptId),
    parts: prompt === null ? [] : prompt.parts.flatMap(promptPart),
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

function tellMessage(telling: Telling, interaction: InteractionId, message: LegacyMessage): void {
  const { role, parts, original } = message
  const isAnswer = role === 'assistant'
  const chunks = isAnswer
    ? answerChunks(telling, message)
    : parts.flatMap(part => take(telling, resultChunks(telling.open, part).map(inMain)))
  telling.events.push({
    type: isAnswer ? 'agent-spoke' : 'host-spoke',
    interaction,
    connection,
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

function partChunks({ calls, open }: Telling, part: Part): readonly Chunk[] {
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
        { type: 'reasoning-start', id },
        { type: 'reasoning-delta', id, delta: part.text },
        { type: 'reasoning-end', id },
      ]
    case 'call': {
      const { call: toolCallId, tool: toolName, input } = part
      if (calls.has(toolCallId)) return []
      calls.add(toolCallId)
      return [{ type: 'tool-input-available', toolCallId, toolName, input, ...ran }]
    }
    case 'result':
      return resultChunks(open, part)
    case 'file': {
      const url = urlOf(part)
      return url === null ? [] : [{ type: 'file', url, mediaType: part.mediaType }]
    }
    case 'unknown':
      return []
  }
}

/** Whoever ran a tool, it was not the page. */
const ran = { dynamic: true, providerExecuted: true } as const

/** A result of a call that is still open; any other is kept in the array's own words. */
function resultChunks(open: OpenParts, part: Part): readonly Chunk[] {
  if (part.kind !== 'result') return []
  const isOpen = open.messages.some(({ calls }) => calls.some(({ toolCallId }) => toolCallId === part.call))
  return isOpen ? outputOf(part.call, part.content, part.isError) : []
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
