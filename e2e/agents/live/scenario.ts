import type { Scene } from './scene.ts'
import type { Script } from './script.ts'

/** One scenario for every agent through the server, and the script of its model. */
export interface Scenario {
  readonly model: Script
  readonly play: (scene: Scene) => Promise<void>
  /** Whether the agent asks before it runs commands. */
  readonly asking?: boolean
  /** How many answers of the model an agent that is killed or stopped may never report the usage of. */
  readonly unreported?: number
  /** Whether it is left out when time is short. */
  readonly isLong?: boolean
}

/** Scenarios by name. */
export type Scenarios = Readonly<Record<string, Scenario>>
