import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import type { ProviderName } from './providers.ts'
import type { Settings } from './settings.ts'

/** A model object of the AI SDK, not only a name. */
export type Model = Exclude<LanguageModel, string>

interface Way {
  readonly baseURL: string
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
}

const makers: Readonly<Record<ProviderName, (settings: Settings, way: Way) => Model>> = {
  anthropic: ({ model }, way) => createAnthropic(way)(model),
  openai: ({ model, api }, way) => {
    const openai = createOpenAI(way)
    return api === 'openai-chat' ? openai.chat(model) : openai.responses(model)
  },
  google: ({ model }, way) => createGoogleGenerativeAI(way)(model),
  'openai-compatible': ({ model }, { apiKey, ...way }) =>
    createOpenAICompatible({
      name: 'compatible',
      ...way,
      ...(apiKey !== '' && { apiKey }),
      includeUsage: true,
    })(model),
}

/** The AI SDK's model for a service, with our own fetch. */
export function createModel(settings: Settings, key: string | null, fetch: typeof globalThis.fetch): Model {
  return makers[settings.provider](settings, { baseURL: settings.baseUrl, apiKey: key ?? '', fetch })
}
