import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { sameJson } from '../../projections/same-json.ts'
import { codecOf } from './codecs.ts'
import type { Conversation, Format, Message, Written } from './conversation.ts'
import { isList, listAt } from './look.ts'
import { write } from './write.ts'

/** What was written, beside what it was written from. */
export interface Sent extends Written {
  readonly format: Format
  readonly conversation: Conversation
}

/** Writes a conversation for another provider and keeps it beside, so that it can come back whole. */
export const send = (conversation: Conversation, format: Format): Sent => ({
  ...write(conversation, format),
  format,
  conversation,
})

/**
 * Reads what was sent, perhaps with more after it: what was sent is again the conversation that it was, native words
 * and all; what was added is read as it is. When what was sent has been changed, all of it is read as it is.
 */
export function receive(json: Json, sent: Sent): Conversation {
  const heard = codecOf(sent.format).read(json)
  const units = unitsOf(json)
  const known = unitsOf(sent.json)
  const isWhole =
    sameJson(around(json), around(sent.json)) && known.every((unit, at) => sameJson(unit, units[at]))
  if (!isWhole) return heard
  const used = new Set(sent.conversation.messages.map(({ id }) => id))
  const added = heard.messages
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
