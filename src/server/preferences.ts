import * as z from 'zod/mini'
import { wrongIn } from '../protocol/check-input.ts'
import type { Json } from '../protocol/json.ts'

/** The names of the context profiles. */
const contextProfiles = ['off', 'lossless', 'safe', 'balanced', 'aggressive'] as const

const preferencesSchema = z.looseObject({
  agent: z.optional(z.string()),
  context: z.optional(z.enum(contextProfiles)),
  options: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
})

/** The name of a context profile. */
export type ContextProfile = (typeof contextProfiles)[number]

/** What a person chose in the app for new sessions. Settings from a file, the environment or an option win. */
export interface Preferences {
  /** The default agent. */
  readonly agent?: string
  /** The context profile of sessions that do not choose one. */
  readonly context?: ContextProfile
  /** The options of new sessions, by agent, where the call has none. */
  readonly options?: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

/** Where preferences are stored, as text. */
export interface PreferenceStore {
  read(): string
  write(text: string): void
}

/** Preferences that can be changed while the server runs. */
export interface KeptPreferences {
  readonly current: () => Preferences
  /** Saves new ones, or throws and keeps the old ones. */
  replace(next: Preferences): void
}

/** Reads saved preferences. Damaged ones are reported and not used: a choice in the app replaces them. */
export function createPreferences(
  store: PreferenceStore,
  report: (problem: string) => void,
): KeptPreferences {
  let now = readPreferences(store.read(), report)
  return {
    current: () => now,
    replace(next) {
      store.write(`${JSON.stringify(next, null, 2)}\n`)
      now = next
    },
  }
}

function readPreferences(text: string, report: (problem: string) => void): Preferences {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (wrongIn(preferencesSchema, value) === undefined) return value as Preferences
  } catch {
    // Reported below, like any other damage.
  }
  report(
    'The saved preferences cannot be read, so they are not used. Choose them again on the settings page.',
  )
  return {}
}

/** For servers without storage: a restart forgets the choices. */
export function preferencesInMemory(): PreferenceStore {
  let text = ''
  return {
    read: () => text,
    write(next) {
      text = next
    },
  }
}
