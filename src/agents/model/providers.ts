import type { Api } from './wire/wire-event.ts'

/** The supported services. */
export type ProviderName = 'anthropic' | 'openai' | 'google' | 'openai-compatible'

/** The defaults of a service. */
export interface Provider {
  readonly title: string
  readonly api: Api
  /** The environment variable of its key; null where there may be none. */
  readonly keyName: string | null
  /** Where to get a key. */
  readonly keyAdvice: string
  readonly baseUrl: string | null
  /** Current models, the default one first. */
  readonly models: readonly string[]
  /** The context window of its models, for models without a known one. */
  readonly window: number
}

/** Every service by its name. */
export const providers: Readonly<Record<ProviderName, Provider>> = {
  anthropic: {
    title: 'Anthropic',
    api: 'anthropic-messages',
    keyName: 'ANTHROPIC_API_KEY',
    keyAdvice: 'Get a key: https://console.anthropic.com.',
    baseUrl: 'https://api.anthropic.com/v1',
    models: ['claude-sonnet-5', 'claude-opus-5-5', 'claude-haiku-4-5', 'claude-fable-5-1'],
    window: 200_000,
  },
  openai: {
    title: 'OpenAI',
    api: 'openai-responses',
    keyName: 'OPENAI_API_KEY',
    keyAdvice: 'Get a key: https://platform.openai.com/api-keys.',
    baseUrl: 'https://api.openai.com/v1',
    models: ['gpt-6-sol', 'gpt-6-astra', 'gpt-6-luna'],
    window: 272_000,
  },
  google: {
    title: 'Google',
    api: 'gemini',
    keyName: 'GOOGLE_GENERATIVE_AI_API_KEY',
    keyAdvice: 'Get a key: https://aistudio.google.com/apikey.',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    models: ['gemini-3.8-flash', 'gemini-3.1-pro-preview', 'gemini-3.5-flash-lite'],
    window: 1_000_000,
  },
  'openai-compatible': {
    title: 'an OpenAI-compatible service',
    api: 'openai-chat',
    keyName: null,
    keyAdvice: '',
    baseUrl: null,
    models: [],
    window: 128_000,
  },
}

/** The names of the services. */
export const providerNames = Object.keys(providers) as readonly ProviderName[]
