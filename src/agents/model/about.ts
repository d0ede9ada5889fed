import type { About } from '../load-when-used.ts'
import { providerNames, providers, type ProviderName } from './providers.ts'

export { modelSettingsSchema, type ModelSettings } from './configured.ts'

/** The facts about any model. */
export const about = {
  name: 'model',
  title: 'Any model API',
  capabilities: {
    resume: true,
    fork: false,
    approvals: true,
    changedInput: true,
    denialReasons: true,
    images: true,
    interrupt: true,
    subagents: true,
  },
  memory: 'journal',
} as const satisfies About

/** A service with a default address and a default model, and the facts about its agent. */
export interface ProviderPreset {
  readonly provider: ProviderName
  readonly about: About
}

/** Every service that needs only a key. */
export const presets: readonly ProviderPreset[] = providerNames
  .filter(provider => providers[provider].models.length > 0)
  .map(provider => ({
    provider,
    about: { ...about, name: provider, title: `${providers[provider].title} API` },
  }))
