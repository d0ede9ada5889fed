import { read, write, type Format, type Loss } from '../context/formats/index.ts'
import type { Json } from '../protocol/json.ts'
import type { Message } from '../protocol/message.ts'

/** The names under which formats are asked for. */
const formats = {
  anthropic: 'anthropic-messages',
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai-responses',
  gemini: 'gemini',
  ui: 'ui-messages',
} as const satisfies Readonly<Record<string, Format>>

/** The name of a format. */
export type FlatFormat = keyof typeof formats

/** Messages as one flat document of a format, and what that format has no place for. */
export interface FlatMessages {
  readonly document: Json
  readonly losses: readonly Loss[]
}

/** Says a conversation in the words of a provider, so that it would take it. */
export function flatMessages(messages: readonly Message[], format: FlatFormat): FlatMessages {
  const heard = read('ui-messages', (format === 'ui' ? messages : messages.map(asOwn)) as unknown as Json)
  const { json: document, losses } = write(heard, formats[format])
  return { document, losses }
}

/** Agents run their tools themselves; for a provider they are calls with results like any other. */
const asOwn = (message: Message): Message => ({
  ...message,
  parts: message.parts.map(part => {
    if (part.type !== 'dynamic-tool') return part
    const { providerExecuted: _, ...call } = part
    return call
  }),
})
