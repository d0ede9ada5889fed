import type { ModelMessage } from 'ai'
import type { Thread } from '../../protocol/chunk.ts'
import type { Api } from './wire/wire-event.ts'
import { withTextsRead } from './prompt-content.ts'
import type { Scene } from './scene.ts'

/**
 * The messages of the next request: what the session compiles of its journal, or, where there is no such session and for
 * subagents, whose work lives no longer than they do, the conversation as the loop knows it.
 */
export async function buildRequest(
  scene: Scene,
  thread: Thread,
  plain: readonly ModelMessage[],
  request: { readonly fixedCharacters: number },
): Promise<ModelMessage[]> {
  const { context, settings, voice } = scene
  if (context === undefined || thread !== null) return marked(plain, settings.api)
  // What was said must be saved before it can be read.
  await voice.speech.heard()
  const { messages } = await context.compile({
    api: settings.api,
    model: settings.model,
    window: settings.window,
    fixedCharacters: request.fixedCharacters,
    profile: settings.context,
  })
  return marked(withTextsRead(messages as unknown as readonly ModelMessage[]), settings.api)
}

/** Anthropic caches what comes before a mark; others do it by themselves. */
function marked(messages: readonly ModelMessage[], api: Api): ModelMessage[] {
  if (api !== 'anthropic-messages') return [...messages]
  return messages.map((message, at) => (at === messages.length - 1 ? { ...message, ...cacheMark } : message))
}

/** The mark up to which Anthropic caches. */
export const cacheMark = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } as const
