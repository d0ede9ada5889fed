import type { Json } from '../../protocol/json.ts'
import { codecOf } from './codecs.ts'
import type { Conversation, Format } from './conversation.ts'

/** Reads a document of a format. Nothing is refused: unknown content is kept as an unknown part, or in `native`. */
export const read = (format: Format, json: Json): Conversation => codecOf(format).read(json)

/** What a format's provider would refuse in a document, in plain words; empty when nothing. */
export const findInvalid = (format: Format, json: Json): readonly string[] =>
  codecOf(format).findInvalid(json)
