import type { Policy, ProfileName } from './policy.ts'

const cacheSeconds = 300
const pressure = { from: 0.7, to: 0.45, keepSteps: 3, keepFiles: 8 }

/** The policies that come with Dragoman; `safe` is the default. */
export const profiles: Readonly<Record<ProfileName, Policy>> = {
  off: {
    name: 'off',
    deduplicate: false,
    rules: false,
    cold: null,
    unused: null,
    pressure: null,
    cacheSeconds,
  },
  lossless: {
    name: 'lossless',
    deduplicate: true,
    rules: false,
    cold: null,
    unused: null,
    pressure: null,
    cacheSeconds,
  },
  safe: {
    name: 'safe',
    deduplicate: true,
    rules: true,
    cold: { keepSteps: 6, keepFiles: 18 },
    unused: null,
    pressure,
    cacheSeconds,
  },
  balanced: {
    name: 'balanced',
    deduplicate: true,
    rules: true,
    cold: { keepSteps: 3, keepFiles: 8 },
    unused: { keepSteps: 5, keepFiles: 20, leastGain: 25_000 },
    pressure,
    cacheSeconds,
  },
  aggressive: {
    name: 'aggressive',
    deduplicate: true,
    rules: true,
    cold: { keepSteps: 3, keepFiles: 7 },
    unused: { keepSteps: 3, keepFiles: 16, leastGain: 20_000 },
    pressure: { from: 0.6, to: 0.4, keepSteps: 3, keepFiles: 8 },
    cacheSeconds,
  },
}
