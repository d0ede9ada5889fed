import type { ContextRequest, ContextSource } from '../../agents/agent.ts'
import {
  toModelMessages,
  type Conversation,
  type Message,
  type Provider,
} from '../../context/formats/index.ts'
import { compile, recordCompile, type History, type Target } from '../../context/index.ts'
import { tokensOfText } from '../../context/tokens.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import { policyOf } from './advise.ts'
import { createHistoryReader } from './history-reader.ts'
import { createJudge, stepOf } from './judge.ts'
import { recallIn } from './recall-part.ts'

/** The provider whose seals each interface uses. */
const providers: Readonly<Record<ContextRequest['api'], Provider | null>> = {
  'anthropic-messages': 'anthropic',
  'openai-responses': 'openai',
  'openai-chat': null,
  gemini: 'google',
}

/** The journal as the memory of an agent without one: read once, then followed, and compiled for each request. */
export function createContextSource(owned: OwnedSession, flushed: () => Promise<void>): ContextSource {
  const { host, writer } = owned
  const reader = createHistoryReader(owned)
  const judge = createJudge(owned, reader, 'applied')

  return {
    async compile(request) {
      await flushed()
      const at = host.now()
      const policy = policyOf({ context: request.profile }, host.context)
      const before = await reader.readOn()
      const history = policy.rules ? await judge(before, policy, at) : before
      const compiled = compile(history, targetOf(history, request, at), policy, reader.manifest)
      const interaction = writer.state.summary.running?.interaction ?? null
      const events = recordCompile(history, compiled.manifest, interaction, 'applied')
      const entries = await owned.writer.appendUntilSaved(() => events)
      reader.keep(compiled.manifest, entries.at(-1)?.seq ?? 0)
      return { messages: toModelMessages(instructed(compiled.conversation), providers[request.api]) }
    },
    async recall(name) {
      await flushed()
      const found = recallIn(await reader.readOn(), name)
      if (found === null) return null
      return found.kind === 'call' || found.text === '' ? found.json : found.text
    },
  }
}

/** Instructions from a legacy array come first: most providers accept none later. */
function instructed({ system, messages }: Conversation): Conversation {
  const isSystem = ({ role }: Message) => role === 'system'
  if (!messages.some(isSystem)) return { system, messages }
  return {
    system: [...system, ...messages.filter(isSystem).flatMap(({ parts }) => parts)],
    messages: messages.filter(each => !isSystem(each)),
  }
}

function targetOf(history: History, { api, window, fixedCharacters }: ContextRequest, at: number): Target {
  return {
    step: stepOf(history),
    at,
    window,
    fixedTokens: tokensOfText(fixedCharacters),
    thinking: api === 'anthropic-messages' ? 'bound' : 'free',
    boundary: false,
  }
}
