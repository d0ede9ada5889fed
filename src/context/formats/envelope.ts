import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import type { Conversation, Format, Message } from './conversation.ts'
import { isList } from './look.ts'

/** The empty list in place of the messages of a document; a value that is not a list stays as it is. */
export function emptiedList(json: JsonObject, key: string): Json {
  const list = json[key]
  return list === undefined || isList(list) ? [] : list
}

/** A document without its messages; a value that is neither an object nor a list stays as it is. */
export function emptiedDocument(json: Json, emptied: (json: JsonObject) => JsonObject): Json {
  if (isObject(json)) return emptied(json)
  return isList(json) ? [] : json
}

/** The value that a document had instead of a list of messages; undefined when it had a list, or nothing. */
export function insteadOfList(json: Json | undefined, key: string): Json | undefined {
  if (!isObject(json)) return isList(json) ? undefined : json
  // A text as input is a message, and is emptied.
  return isList(json[key]) || (key === 'input' && json[key] === '') ? undefined : json[key]
}

/** The native JSON of a document or a message in a format, without its parts; undefined when it came from another format. */
export const nativeIn = (
  of: Pick<Conversation | Message, 'native'> | null,
  format: Format,
): Json | undefined => (of?.native?.format === format ? of.native.json : undefined)
