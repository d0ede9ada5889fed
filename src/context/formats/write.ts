import type { Json } from '../../protocol/json.ts'
import { sameJson } from '../../projections/same-json.ts'
import { account } from './account.ts'
import { arrange } from './arrange/arrange.ts'
import type { Codec } from './codec.ts'
import { codecOf } from './codecs.ts'
import type { Conversation, Format, Part, Role, Written } from './conversation.ts'
import { express } from './express.ts'
import { createMemory } from './memory.ts'

const rememberWords = createMemory<Json>()

/**
 * Writes a conversation in a format, so that its provider accepts it, and reports the losses. Parts that came in
 * this format and are valid are written byte for byte. So is a whole document that was not changed and is not finished:
 * with an empty list of messages, with white space at its end, with too many cache marks. The sender, such as the
 * compiler, leaves out `native` of the conversation: then these are repaired, too.
 */
export function write(conversation: Conversation, format: Format): Written {
  const codec = codecOf(format)
  const own = conversation.native?.format === format ? written(conversation, codec, true) : null
  // An unchanged conversation is the one that would be read from the document again.
  const isUntouched = own !== null && sameJson(codec.read(own.json), conversation)
  return isUntouched ? own : written(conversation, codec, false)
}

function written(conversation: Conversation, codec: Codec, isAsItCame: boolean): Written {
  const arranged = arrange(conversation, codec, isAsItCame)
  return {
    json: codec.put(arranged, (part, role) =>
      rememberWords(part, `${codec.format} ${role}`, () => expressed(part, role, codec)),
    ),
    losses: account(arranged, codec, codecOf),
  }
}

function expressed(part: Part, role: Role, codec: Codec): Json | null {
  return express<Part>(part, {
    format: codec.format,
    parse: json =>
      codec.parse(json, {
        id: part.id,
        role,
        ...('call' in part && { call: part.call, toolOf: () => part.tool }),
      })[0],
    serialize: other => codec.serialize(other, role),
    isSound: json => codec.isSound(json, role),
    ...(codec.spelled && { spelled: codec.spelled }),
  })
}
