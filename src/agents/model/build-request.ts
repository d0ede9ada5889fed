import type { ModelMessage, ToolContent } from 'ai'
import type { Thread } from '../../protocol/chunk.ts'
import { withPicturesApart } from './pictures-apart.ts'
import { withTextsRead } from './prompt-content.ts'
import type { Loop } from './loop.ts'
import type { Settings } from './settings.ts'

type ResultOutput = Extract<ToolContent[number], { readonly type: 'tool-result' }>['output']
type ResultPiece = Extract<ResultOutput, { readonly type: 'content' }>['value'][number]

/**
 * The messages of the next request: what the session compiles from its journal. Without such a session, and for
 * subagents, the conversation in the loop.
 */
export async function buildRequest(
  loop: Loop,
  thread: Thread,
  plain: readonly ModelMessage[],
  request: { readonly fixedCharacters: number },
): Promise<ModelMessage[]> {
  const { context, settings, writer } = loop
  if (context === undefined || thread !== null) return fitted(plain, settings)
  // Messages must be saved before they can be read.
  await writer.queue.drained()
  const { messages } = await context.compile({
    api: settings.api,
    model: settings.model,
    window: settings.window,
    fixedCharacters: request.fixedCharacters,
    profile: settings.context,
  })
  return fitted(withTextsRead(messages as unknown as readonly ModelMessage[]), settings).map(withCurrentFiles)
}

/** The SDK deprecates the forms of a file in a result that sessions have, and prints a warning for each. */
function withCurrentFiles(message: ModelMessage): ModelMessage {
  if (message.role !== 'tool') return message
  const content = message.content.map(part => {
    if (part.type !== 'tool-result' || part.output.type !== 'content') return part
    return { ...part, output: { ...part.output, value: part.output.value.map(currentFile) } }
  })
  return { ...message, content }
}

function currentFile(piece: ResultPiece): ResultPiece {
  if (piece.type === 'file-data') return { ...piece, type: 'file', data: { type: 'data', data: piece.data } }
  if (piece.type !== 'file-url') return piece
  const { url, mediaType = 'application/octet-stream' } = piece
  return { type: 'file', data: { type: 'url', url: new URL(url) }, mediaType }
}

/**
 * Results of chat completions hold only text. Anthropic caches what comes before a mark; others cache automatically.
 */
function fitted(messages: readonly ModelMessage[], { api, pictures }: Settings): ModelMessage[] {
  if (api === 'openai-chat') return [...withPicturesApart(messages, pictures)]
  if (api !== 'anthropic-messages') return [...messages]
  const kept = messages.flatMap(withoutBlanks)
  return kept.map((message, at) => (at === kept.length - 1 ? { ...message, ...cacheMark } : message))
}

/** Anthropic refuses texts that are only white space, and models and people do write them. */
function withoutBlanks(message: ModelMessage): readonly ModelMessage[] {
  const { role, content } = message
  if (role === 'user') {
    const kept = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content
    const left = kept.filter(hasContent)
    const nothing = { type: 'text', text: '(This message has no words.)' } as const
    return left.length === kept.length
      ? [message]
      : [{ ...message, content: left.length > 0 ? left : [nothing] }]
  }
  if (role !== 'assistant' || typeof content === 'string') return [message]
  const left = content.filter(hasContent)
  return left.length === 0 ? [] : [{ ...message, content: left }]
}

const hasContent = (part: { readonly type: string; readonly text?: string }) =>
  part.type !== 'text' || part.text?.trim() !== ''

/** The mark up to which Anthropic caches. */
export const cacheMark = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } as const
