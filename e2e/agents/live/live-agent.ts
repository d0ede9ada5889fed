import type { Tokens } from '../../../src/protocol/data-parts.ts'
import type { Json } from '../../../src/protocol/json.ts'
import type { RequestFate } from '../../../src/testing/streaming-model.ts'
import type { Script } from './script.ts'

/** The tested release of an agent's program, and its npm package. */
export interface Cli {
  readonly package: string
  readonly version: string
  /** An older release that is tested, too. */
  readonly older: string
  readonly program: string
}

/** Folders and a model for one scenario of one agent. */
export interface World extends AsyncDisposable {
  /** The server's environment, without the PATH. */
  readonly env: Readonly<Record<string, string>>
  readonly home: string
  readonly cwd: string
  readonly data: string
  /** Everything in which the agent may leave traces. */
  readonly folder: string
  /** The options of sessions. */
  readonly options: Readonly<Record<string, Json>>
  /** What the model was asked so far, as JSON. */
  asked(): readonly string[]
  /** The outcomes of the requests whose usage the agent must report. */
  answers(): readonly RequestFate['answered'][]
}

/** An agent in the scenarios. */
export interface LiveAgent {
  readonly name: string
  readonly cli: Cli
  /** Set when the older release is tested. */
  readonly isOlder?: boolean
  /** The variable that names the program to the agent's own suite, `e2e/agents/<name>.ts`. */
  readonly variable: string
  /** The usage of each answer, as its model reports it and Dragoman counts it. */
  readonly perAnswer: { readonly tokens: Tokens; readonly cost: number | null }
  /** Whether its requests can be changed each time, and not only when it is resumed. */
  readonly asksBeforeRequests?: boolean
  /** Whether it continues a session only in the minute after that was begun. */
  readonly isResumedNextMinute?: boolean
  /** Why it cannot do some of the scenarios. */
  readonly cannot: Readonly<Record<string, string>>
  /** Why its older release cannot do more of them. */
  readonly olderCannot?: Readonly<Record<string, string>>
  /** The options of a session that starts as a copy of another session of the agent. */
  readonly forkOf?: (agentSession: string) => Readonly<Record<string, Json>>
  /** Makes a world in `root`; in one that is `asking`, the agent must ask before it runs a command. */
  makeWorld(root: string, script: Script, asking: boolean): Promise<World>
}
