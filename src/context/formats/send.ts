import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { sameJson } from '../../projections/same-json.ts'
import { codecOf } from './codecs.ts'
import type { Conversation, Format, Message, Written } from './conversation.ts'
import { isList, listAt } from './look.ts'
import { write } from './write.ts'

/** A written document, with the conversation that it was written from. */
export interface Sent extends Written {
  readonly format: Format
  readonly conversation: Conversation
}

/** Writes a conversation for another provider and keeps it, so that it can come back complete. */
export const send = (conversation: Conversation, format: Format): Sent => ({
  ...write(conversation, format),
  format,
  conversation,
})

/**
 * Reads a sent document, perhaps with more messages after it: the sent part becomes the original conversation again,
 * with its native JSON; added messages are parsed. When the sent part was changed, the whole document is parsed.
 */
export function receive(json: Json, sent: Sent): Conversation {
  const parsed = codecOf(sent.format).read(json)
  const units = unitsOf(json)
  const known = unitsOf(sent.json)
  const isWhole =
    sameJson(around(json), around(sent.json)) && known.every((unit, at) => sameJson(unit, units[at]))
  if (!isWhole) return parsed
  const used = new Set(sent.conversation.messages.map(({ id }) => id))
  const added = parsed.messages
    .slice(known.length)
    .map(message => (used.has(message.id) ? renamed(message, sent) : message))
  return { ...sent.conversation, messages: [...sent.conversation.messages, ...added] }
}

const keys = ['messages', 'contents', 'input']

/** The messages, contents or items of a document: each is one message. */
function unitsOf(json: Json): readonly Json[] {
  if (isList(json)) return json
  const input = isObject(json) ? json['input'] : undefined
  if (typeof input === 'string') return [input]
  return keys.flatMap(key => listAt(json, key))
}

const around = (json: Json): JsonObject =>
  isObject(json) ? Object.fromEntries(Object.entries(json).filter(([key]) => !keys.includes(key))) : {}

function renamed(message: Message, { format }: Sent): Message {
  const id = `${format}:${message.id}`
  return { ...message, id, parts: message.parts.map((part, at) => ({ ...part, id: `${id}.${at}` })) }
}
