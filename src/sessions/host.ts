import type { Agent } from '../agents/agent.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { CustomStrategies, ProfileName, Strategies } from '../context/index.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import type { Ownership } from '../journal/ownership.ts'
import type { NewId, SessionId } from '../protocol/ids.ts'
import type { Limits } from './limits.ts'
import type { Routes } from './agent/routes.ts'
import type { Checkpoint } from './run-steps.ts'
import type { AgentSlots } from './agent/agent-slots.ts'
import type { Watchers } from './watchers.ts'

/** What all sessions of a process share. */
export interface Host {
  readonly journal: Journal
  /** Wakes at new entries of sessions, wherever they are written. */
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
  readonly checkpoint: Checkpoint
  readonly watchers: Watchers
  /** Which prompts go to which agents. */
  readonly routes: Routes
  /** How much of a conversation may be left out of what models are sent, where a session does not say. */
  readonly context: ProfileName
  /** What tools say of their results, and who answers for the functions among it. */
  readonly strategies: HostStrategies
  /** Writes a fault of an agent's code, which only its author can mend, to the log. */
  readonly report: (message: string, session: SessionId) => void
  /** Gives the folder that a path leads to, or refuses it. */
  readonly checkFolder: (cwd: string) => Promise<string>
  /** Aborted when everything is to end: nothing new begins. */
  readonly stopping: AbortSignal
  /** Aborted when what has not ended by then is left to the next start. */
  readonly stopped: AbortSignal
}

/** The strategies of the house and of its owner. */
export interface HostStrategies {
  readonly strategies: Strategies
  readonly custom: CustomStrategies
}
