import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { finish, type Steps } from '../../protocol/steps.ts'
import { readInSteps as readAnthropic } from '../formats/anthropic/codec.ts'
import { pairInSteps, type Pairs } from '../formats/arrange/pair.ts'
import type { Conversation, Message, Native, Part, Role } from '../formats/conversation.ts'
import { isList, listAt, textAt } from '../formats/look.ts'
import { readInSteps as readOpenAiChat } from '../formats/openai-chat/codec.ts'
import { readInSteps as readUiMessages } from '../formats/ui-messages/codec.ts'
import { uuidV5, uuidV5InSteps } from './uuid-v5.ts'

/** Formats of flat arrays that older programs keep. */
export type LegacyFormat = 'anthropic-messages' | 'openai-chat' | 'ui-messages'

/** Why a part of an old array stays out of the context: its call is missing or answered already, or its role is unknown. */
export type Outside = 'legacy-orphan' | 'legacy-duplicate' | 'legacy-role'

/** One message of an old array. */
export interface LegacyMessage {
  readonly id: string
  readonly interaction: string
  readonly role: Role
  readonly parts: readonly Part[]
  /** Parts that are kept but never sent to a model. */
  readonly outside: readonly { readonly part: Part; readonly why: Outside }[]
  readonly native?: Native
  /** The message exactly as it was. */
  readonly original: Json
}

/** One interaction of an old array; `synthetic` has the messages before the first user message. */
export interface LegacyInteraction {
  readonly id: string
  readonly trigger: 'user' | 'synthetic'
  readonly messages: readonly LegacyMessage[]
}

/** An old array as interactions. */
export interface Migrated {
  readonly session: string
  readonly format: LegacyFormat
  readonly system: readonly Part[]
  readonly interactions: readonly LegacyInteraction[]
  /** The document around the array, its list empty; null when the array was bare. */
  readonly around: JsonObject | null
}

/** The name space of all ids made here. */
const space = '6f1d3c1e-5b0a-5c7e-9d62-0a4be3d7f5a9'

/**
 * An old flat array as interactions and messages. Ids come from session, place and content, so migrating again, or
 * migrating a longer array, gives the same ones.
 */
export const migrate = (
  session: string,
  format: LegacyFormat,
  document: readonly Json[] | JsonObject,
): Migrated => finish(migrateInSteps(session, format, document))

const readers: Readonly<Record<LegacyFormat, (json: Json) => Steps<Conversation>>> = {
  'anthropic-messages': readAnthropic,
  'openai-chat': readOpenAiChat,
  'ui-messages': readUiMessages,
}

/** The same in steps, each with at most one message. */
export function* migrateInSteps(
  session: string,
  format: LegacyFormat,
  document: readonly Json[] | JsonObject,
): Steps<Migrated> {
  const originals = listOf(document)
  const { system, messages } = yield* readers[format](document)
  const { loose } = yield* pairInSteps({ system: [], messages })
  const interactions: { id: string; trigger: 'user' | 'synthetic'; messages: LegacyMessage[] }[] = []
  for (const [at, message] of messages.entries()) {
    const original = originals[at] ?? null
    yield
    const id = yield* uuidV5InSteps(JSON.stringify([session, at, original]), space)
    const isKnown = knowsRole(format, original)
    const isUsers = startsInteraction(message, isKnown)
    if (isUsers || instructs(message, interactions.at(-1)?.messages) || interactions.length === 0)
      interactions.push({
        id: uuidV5(JSON.stringify(['interaction', id]), space),
        trigger: isUsers ? 'user' : 'synthetic',
        messages: [],
      })
    const current = interactions.at(-1)
    current?.messages.push(migrated(message, { id, interaction: current.id, original, isKnown, loose }))
  }
  return {
    session,
    format,
    system: system.map((part, at) => ({
      ...part,
      id: uuidV5(JSON.stringify([session, 'system', at]), space),
    })),
    interactions,
    around: isObject(document)
      ? 'messages' in document
        ? { ...document, messages: emptied(document) }
        : document
      : null,
  }
}

/** A value that is not a list stays as it is. */
const emptied = ({ messages = null }: JsonObject): Json => (isList(messages) ? [] : messages)

const listOf = (document: Json): readonly Json[] =>
  isList(document) ? document : listAt(document, 'messages')

const known: Readonly<Record<LegacyFormat, readonly string[]>> = {
  'anthropic-messages': ['user', 'assistant'],
  'openai-chat': ['system', 'developer', 'user', 'assistant', 'tool', 'function'],
  'ui-messages': ['system', 'user', 'assistant'],
}

const knowsRole = (format: LegacyFormat, original: Json) =>
  known[format].includes(textAt(original, 'role') ?? '')

/** A user's message that is not only results begins an interaction. OpenAI's old `function` messages are results. */
const startsInteraction = ({ role, native }: Message, isKnown: boolean) =>
  isKnown && role === 'user' && textAt(native?.json, 'role') === 'user'

/** Instructions start a separate interaction, so that they keep their position. */
const instructs = ({ role }: Message, before: readonly LegacyMessage[] = []) =>
  role === 'system' && before.length > 0 && before.at(-1)?.role !== 'system'

interface Surroundings {
  readonly id: string
  readonly interaction: string
  readonly original: Json
  readonly isKnown: boolean
  readonly loose: Pairs['loose']
}

function migrated({ role, parts, native }: Message, around: Surroundings): LegacyMessage {
  const { id, interaction, original, isKnown, loose } = around
  const why = (part: Part): Outside | null => {
    if (!isKnown) return 'legacy-role'
    // A tool message without a call id.
    if (part.kind === 'unknown' && part.name === 'unknown-role') return 'legacy-orphan'
    const reason = part.kind === 'result' ? loose.get(part) : undefined
    if (reason === undefined) return null
    return reason === 'duplicate' ? 'legacy-duplicate' : 'legacy-orphan'
  }
  const placed = parts.map((part, at) => ({
    part: { ...part, id: uuidV5(JSON.stringify(['part', id, at]), space) },
    why: why(part),
  }))
  return {
    id,
    interaction,
    role,
    parts: placed.filter(one => one.why === null).map(({ part }) => part),
    outside: placed.flatMap(one => (one.why === null ? [] : [{ part: one.part, why: one.why }])),
    ...(native && { native }),
    original,
  }
}

/** The old array again, exactly as it was. */
export function flatten({ interactions, around }: Migrated): readonly Json[] | JsonObject {
  const messages = interactions.flatMap(interaction => interaction.messages.map(({ original }) => original))
  if (around === null) return messages
  return isList(around['messages']) ? { ...around, messages } : around
}

/** The conversation of an old array, without the parts that stay out of the context. */
export const conversationOf = ({ system, interactions }: Migrated): Conversation => ({
  system,
  messages: interactions.flatMap(interaction =>
    interaction.messages
      .filter(({ parts, outside }) => parts.length > 0 || outside.length === 0)
      .map(({ id, role, parts, native }) => ({ id, role, parts, ...(native && { native }) })),
  ),
})
