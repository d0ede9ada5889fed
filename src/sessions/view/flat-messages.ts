import { read, write, type Conversation, type Format, type Loss } from '../../context/formats/index.ts'
import { isList, listAt } from '../../context/formats/look.ts'
import type { LegacyMessage } from '../../context/legacy/index.ts'
import { isObject, type Json } from '../../protocol/json.ts'
import type { Message } from '../../protocol/message.ts'
import type { LegacyArray } from './read-legacy.ts'

/** The formats by their names in requests. */
const formats = {
  anthropic: 'anthropic-messages',
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai-responses',
  gemini: 'gemini',
  ui: 'ui-messages',
} as const satisfies Readonly<Record<string, Format>>

/** The name of a format. */
export type FlatFormat = keyof typeof formats

/** Messages as one flat document of a format, and what that format cannot represent. */
export interface FlatMessages {
  readonly document: Json
  readonly losses: readonly Loss[]
}

/** Consecutive messages of a session, and the legacy array that the session was created from. */
export interface MessagesPage {
  readonly messages: readonly { readonly message: Message; readonly firstSeq: number }[]
  /** Whether they are the first messages. */
  readonly isFromStart: boolean
  readonly legacy: LegacyArray | null
}

/**
 * Writes a conversation in the format of a provider, so that the provider accepts it. A legacy array is unchanged in its own
 * format, and is converted to other formats.
 */
export function flatMessages({ messages, isFromStart, legacy }: MessagesPage, as: FlatFormat): FlatMessages {
  const format = formats[as]
  const starts = [...(isFromStart ? [0] : []), ...messages.map(({ firstSeq }) => firstSeq)]
  const old = starts.flatMap(seq => legacy?.byStart.get(seq) ?? [])
  const added = messages.filter(({ firstSeq }) => legacy?.byStart.has(firstSeq) !== true)
  const written = added.map(({ message }) => (as === 'ui' ? message : asOwn(message)))
  const parsed = read('ui-messages', written as unknown as Json)
  const isOwn = legacy?.format === format
  const before = isOwn ? [] : old.map(canonical)
  if (messages.length === 0 && old.length === 0) return { document: nothing[as], losses: [] }
  if (isOwn && added.length === 0) return { document: after(old, nothing[as]), losses: [] }
  const { json, losses } = write({ ...parsed, messages: [...before, ...parsed.messages] }, format)
  return { document: isOwn ? after(old, json) : json, losses }
}

/** Providers refuse a conversation without messages; here it is only empty. */
const nothing: Readonly<Record<FlatFormat, Json>> = {
  anthropic: { messages: [] },
  'openai-chat': { messages: [] },
  'openai-responses': { input: [] },
  gemini: { contents: [] },
  ui: [],
}

/** Parts that are left out of a context are still included, or reported as losses. */
const canonical = ({
  id,
  role,
  parts,
  outside,
  native,
}: LegacyMessage): Conversation['messages'][number] => ({
  id,
  role,
  parts: [...parts, ...outside.map(({ part }) => part)],
  ...(native && { native }),
})

function after(old: readonly LegacyMessage[], document: Json): Json {
  const originals = old.map(({ original }) => original)
  if (!isObject(document)) return [...originals, ...(isList(document) ? document : [])]
  return { ...document, messages: [...originals, ...listAt(document, 'messages')] }
}

/** Agents run their tools themselves; for a provider these are normal calls with results. */
const asOwn = (message: Message): Message => ({
  ...message,
  parts: message.parts.map(part => {
    if (part.type !== 'dynamic-tool') return part
    const { providerExecuted: _, ...call } = part
    return call
  }),
})
