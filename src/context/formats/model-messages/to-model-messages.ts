import { isObject, type Json } from '../../../protocol/json.ts'
import { arrange } from '../arrange/arrange.ts'
import type { Segment, Target } from '../codec.ts'
import type { Conversation, Part, Provider, Role } from '../conversation.ts'
import { present, textAt } from '../look.ts'
import { serialize } from './serialize.ts'

/**
 * A conversation as the AI SDK's model messages (v6 and v7), every call with a result. Seals become provider options;
 * when the provider is named, reasoning of other providers is left out.
 */
export function toModelMessages(
  conversation: Conversation,
  provider: Provider | null = null,
): readonly Json[] {
  const { system, segments } = arrange(conversation, targetFor(provider))
  const prompt: readonly Segment[] =
    system.length === 0 ? [] : [{ role: 'system', parts: system, message: null }]
  return [...prompt, ...segments].flatMap(segment => putMessage(segment, provider))
}

const targetFor = (provider: Provider | null): Target => ({
  format: 'model-messages',
  provider,
  rules: {
    results: 'next',
    system: 'among',
    mixesResults: false,
    joins: true,
    mustJoin: 'calls',
    ...(runsTogether(provider) && { between: '\n\n' }),
    gathersResults: true,
    needsFollower: true,
    startsWithUser: provider === 'anthropic' || provider === 'google',
    keepsShells: 'none',
    callId: /^[A-Za-z0-9_-]{1,40}$/,
  },
  serialize: (part, role) => {
    if (provider !== null && part.kind === 'reasoning' && part.seal?.provider !== provider) return null
    const own = fitted(part, provider)
    if (own.kind === 'text' && own.seal === undefined && isNothing(own.text, role, provider)) return null
    if (own.kind === 'file' && role === 'assistant' && isBlind(provider)) return null
    return role === 'system' && own.kind !== 'text' ? null : serialize(own)
  },
  isSound: () => true,
})

/** Whether the AI SDK joins all texts of an assistant message. */
const runsTogether = (provider: Provider | null) => provider === null || provider === 'openai'

/** Whether a provider accepts files from the user only. */
const isBlind = (provider: Provider | null) => provider === 'anthropic' || provider === 'openai'

/** Anthropic refuses blank texts like empty ones; prompts of a person are not changed here. */
const isNothing = (text: string, role: Role, provider: Provider | null) =>
  (provider === 'anthropic' && role !== 'user' ? text.trim() : text) === ''

/** A part without what the provider would refuse. */
const fitted = (part: Part, provider: Provider | null): Part =>
  withObject(withoutForeignSeal(part, provider), provider)

/** Anthropic and Google accept only an object as the input of a tool. */
function withObject(part: Part, provider: Provider | null): Part {
  const isTaken = provider === null || provider === 'openai'
  if (part.kind !== 'call' || isTaken || isObject(part.input)) return part
  return { ...part, input: { input: part.input } }
}

function withoutForeignSeal(part: Part, provider: Provider | null): Part {
  if (provider === null || part.seal === undefined || part.seal.provider === provider) return part
  const { seal: _foreign, ...rest } = part
  return rest
}

function putMessage({ role, parts }: Segment, provider: Provider | null): readonly Json[] {
  const content = present(parts.map(part => serialize(fitted(part, provider))))
  if (content.length === 0) return []
  return role === 'system'
    ? content.map(piece => ({ role, content: textAt(piece, 'text') ?? '' }))
    : [{ role, content }]
}
