import type { Agent } from '../agents/agent.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { CustomStrategies, ProfileName, Strategies } from '../context/index.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import type { Ownership } from '../journal/ownership.ts'
import type { NewId, SessionId } from '../protocol/ids.ts'
import type { Limits } from './limits.ts'
import type { Routes } from './agent/prompt-routes.ts'
import type { Checkpoint } from './run-steps.ts'
import type { AgentSlots } from './agent/agent-slots.ts'
import type { Terminals } from './import/terminals.ts'
import type { Watchers } from './watchers.ts'

/** The parts that all sessions of a process share. */
export interface Host {
  readonly journal: Journal
  /** Rings for new entries of sessions, whichever node writes them. */
  readonly bell: Bell | null
  /** Decides which sessions this process may write. */
  readonly ownership: Ownership
  readonly catalogue: Catalogue
  readonly agents: ReadonlyMap<string, Agent>
  /** The folder for process records and lines too long for memory. */
  readonly dataFolder: string
  readonly now: () => number
  readonly newId: NewId
  readonly limits: Limits
  readonly places: AgentSlots
  /** Called at each of `runSteps` in crash tests; null otherwise. */
  readonly checkpoint: Checkpoint | null
  readonly watchers: Watchers
  readonly terminals: Terminals
  /** Which prompts go to which agents. */
  readonly routes: Routes
  /** The context profile of sessions that do not choose one. */
  readonly context: ProfileName
  /** The strategies for tool results, and what runs the custom functions. */
  readonly strategies: HostStrategies
  /** Writes a fault in an agent's code, which only its author can fix, to the log. */
  readonly report: (message: string, session: SessionId) => void
  /** Returns the folder that a path leads to, or throws when it is not allowed. */
  readonly checkFolder: (cwd: string) => Promise<string>
  /** Aborted when the server shuts down: nothing new starts. */
  readonly stopping: AbortSignal
  /** Aborted when the shutdown stops waiting. The next start recovers what has not ended. */
  readonly stopped: AbortSignal
}

/** Built-in and custom strategies. */
export interface HostStrategies {
  readonly strategies: Strategies
  readonly custom: CustomStrategies
}
