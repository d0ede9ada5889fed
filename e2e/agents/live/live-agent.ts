import type { Tokens } from '../../../src/protocol/data-parts.ts'
import type { Json } from '../../../src/protocol/json.ts'
import type { RequestFate } from '../../../src/testing/streaming-model.ts'
import type { Script } from './script.ts'

/** Which release of an agent's program is tried, and where npm has it. */
export interface Cli {
  readonly package: string
  readonly version: string
  /** An older release that is tried, too. */
  readonly older: string
  readonly program: string
}

/** Folders and a model of its own, for one scenario of one agent. */
export interface World extends AsyncDisposable {
  /** All that the server's environment has, but for the PATH. */
  readonly env: Readonly<Record<string, string>>
  readonly home: string
  readonly cwd: string
  readonly data: string
  /** Everything in which the agent may leave traces. */
  readonly folder: string
  /** What sessions are created with. */
  readonly options: Readonly<Record<string, Json>>
  /** What the model was asked so far, as JSON. */
  asked(): readonly string[]
  /** What became of the requests that the agent is to report the usage of. */
  answers(): readonly RequestFate['answered'][]
}

/** One of the agents, as the scenarios see it. */
export interface LiveAgent {
  readonly name: string
  readonly cli: Cli
  /** Set when the older release is tried. */
  readonly isOlder?: boolean
  /** The variable that names the program to the agent's own suite, `e2e/agents/<name>.ts`. */
  readonly variable: string
  /** What its model says that each answer took, as Dragoman counts it. */
  readonly perAnswer: { readonly tokens: Tokens; readonly cost: number | null }
  /** Whether what its model is sent can be changed at each request, and not only when it is picked up again. */
  readonly asksBeforeRequests?: boolean
  /** Whether it continues a session only in the minute after that was begun. */
  readonly isResumedNextMinute?: boolean
  /** Why it cannot do some of the scenarios. */
  readonly cannot: Readonly<Record<string, string>>
  /** Why its older release cannot do more of them. */
  readonly olderCannot?: Readonly<Record<string, string>>
  /** What a session that begins as a copy of another of the agent's own is created with. */
  readonly forkOf?: (agentSession: string) => Readonly<Record<string, Json>>
  /** Makes a world in `root`; in one that is `asking`, the agent must ask before it runs a command. */
  makeWorld(root: string, script: Script, asking: boolean): Promise<World>
}
