import { arrange } from '../../../src/context/formats/arrange/arrange.ts'
import { codecOf } from '../../../src/context/formats/codecs.ts'
import type { Conversation, Format, Part, Role } from '../../../src/context/formats/conversation.ts'
import type { Json } from '../../../src/protocol/json.ts'

/** The four providers for which every compiled array has to be valid. */
const providers: readonly Format[] = ['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini']

/** What providers would refuse in a conversation that is written for each of them; empty when all would accept it. */
export const refusalsOf = (conversation: Conversation): readonly string[] =>
  checks.flatMap(check => check(conversation))

const checks = providers.map(createCheck)

/**
 * As `write` does it, but for the account of what was lost, which takes ten times as long and is not asked for; and what
 * a part is called is remembered, because most of a request was in the one before.
 */
function createCheck(format: Format): (conversation: Conversation) => readonly string[] {
  const codec = codecOf(format)
  const known = new WeakMap<Part, Json | null>()
  const say = (part: Part, role: Role) => {
    const said = known.get(part)
    if (said !== undefined) return said
    const made = codec.serialize(part, role)
    known.set(part, made)
    return made
  }
  return conversation => {
    const json = codec.put(arrange(conversation, codec), say)
    return codec.findInvalid(json).map(fault => `${format}: ${fault}`)
  }
}
