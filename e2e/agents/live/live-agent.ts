import type { Json } from '../../../src/protocol/json.ts'
import type { Script } from './script.ts'

/** Which release of an agent's program is tried, and where npm has it. */
export interface Cli {
  readonly package: string
  readonly version: string
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
}

/** One of the agents, as the scenarios see it. */
export interface LiveAgent {
  readonly name: string
  readonly cli: Cli
  /** The variable that names the program to the agent's own suite, `e2e/agents/<name>.ts`. */
  readonly variable: string
  /** Whether what its model is sent can be changed at each request, and not only when it is picked up again. */
  readonly asksBeforeRequests?: boolean
  /** Why it cannot do some of the scenarios. */
  readonly cannot: Readonly<Record<string, string>>
  /** What a session that begins as a copy of another of the agent's own is created with. */
  readonly forkOf?: (agentSession: string) => Readonly<Record<string, Json>>
  /** Makes a world in `root`; in one that is `asking`, the agent must ask before it runs a command. */
  makeWorld(root: string, script: Script, asking: boolean): Promise<World>
}
