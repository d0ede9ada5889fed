import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import type { Conversation, Format, Message } from './conversation.ts'
import { isList } from './look.ts'

/** What stands for the messages that were taken out of a document; what is no list of them stays what it is. */
export function emptiedList(json: JsonObject, key: string): Json {
  const list = json[key]
  return list === undefined || isList(list) ? [] : list
}

/** A document without its messages; what is neither an object nor a list stays what it is. */
export function emptiedDocument(json: Json, emptied: (json: JsonObject) => JsonObject): Json {
  if (isObject(json)) return emptied(json)
  return isList(json) ? [] : json
}

/** What a document had in the place of its list of messages; undefined when it had one, or nothing. */
export function insteadOfList(json: Json | undefined, key: string): Json | undefined {
  if (!isObject(json)) return isList(json) ? undefined : json
  // A text of input is a message, and leaves its place empty.
  return isList(json[key]) || (key === 'input' && json[key] === '') ? undefined : json[key]
}

/** What a document or a message was in a format, without what was taken out of it; undefined when it came from elsewhere. */
export const nativeIn = (
  of: Pick<Conversation | Message, 'native'> | null,
  format: Format,
): Json | undefined => (of?.native?.format === format ? of.native.json : undefined)
