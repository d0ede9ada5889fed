import type { Agent, Connection } from '../../agents/agent.ts'
import type { ApprovalId, ConnectionId, InteractionId } from '../../protocol/ids.ts'
import type { InteractionOwners } from './assign-interaction.ts'
import type { Ending } from './ending.ts'
import type { Beginning } from './beginning.ts'
import type { AgentOutput } from './read-connection.ts'
import type { AgentSlot } from './agent-slots.ts'
import type { TranslatedItem } from './to-events.ts'

/** An agent at work for a session: its connection, what is heard of it, and what is remembered to understand it. */
export interface RunningAgent {
  readonly agent: Agent
  readonly id: ConnectionId
  readonly beginning: Beginning
  readonly slot: AgentSlot
  readonly output: AgentOutput<TranslatedItem>
  /** The connection, or undefined when it never came about: then its exit is heard. */
  readonly connected: Promise<Connection | undefined>
  readonly isConnected: boolean
  /** Resolves when all that it said is saved and it is no more. */
  readonly gone: Promise<void>
  /** Ends it, once; its exit is then heard like any other. */
  end(ending: Ending): void
  /** Why it was ended by us; from then on no interaction is given to it. */
  readonly ending: Ending | null
  owners: InteractionOwners
  /** The approvals that it asked for. */
  readonly questions: Set<ApprovalId>
  /** Whether the conversation before it was handed over to it. */
  briefed: boolean
  /** The interaction that it was given, or that it began by itself. */
  serving: InteractionId | null
  /** Gives the interaction to a new agent, with the conversation: this one has lost its session. */
  startOver: (() => Promise<void>) | null
  /** Whether the journal knows of it. */
  announced: boolean
}
