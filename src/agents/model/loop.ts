import type { ConnectOptions } from '../agent.ts'
import type { Questions } from './questions.ts'
import type { Settings } from './settings.ts'
import type { LineWriter } from './line-writer.ts'

/** What the tool loop of a connection works with. */
export interface Loop extends Pick<ConnectOptions, 'cwd' | 'dataFolder' | 'context'> {
  readonly settings: Settings
  readonly key: string | null
  readonly writer: LineWriter
  readonly questions: Questions
  /** A name that no other request or question of the session has. */
  readonly nextName: (kind: 'request' | 'question') => string
}
