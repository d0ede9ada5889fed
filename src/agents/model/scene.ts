import type { ConnectOptions } from '../agent.ts'
import type { Questions } from './questions.ts'
import type { Settings } from './settings.ts'
import type { Voice } from './voice.ts'

/** What a connection works with. */
export interface Scene extends Pick<ConnectOptions, 'cwd' | 'dataFolder' | 'context'> {
  readonly settings: Settings
  readonly key: string | null
  readonly voice: Voice
  readonly questions: Questions
  /** A name that no other request or question of the session has. */
  readonly nextName: (kind: 'request' | 'question') => string
}
