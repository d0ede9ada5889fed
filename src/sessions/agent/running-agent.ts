import type { Agent, Connection } from '../../agents/agent.ts'
import type { ApprovalId, ConnectionId, InteractionId } from '../../protocol/ids.ts'
import type { LineInteractions } from './assign-interaction.ts'
import type { Ending } from './ending.ts'
import type { Beginning } from './beginning.ts'
import type { AgentOutput, TranslatedItem } from './read-connection.ts'
import type { AgentSlot } from './agent-slots.ts'

/** An agent that runs for a session: its connection, its output, and the state that is needed to save it. */
export interface RunningAgent {
  readonly agent: Agent
  readonly id: ConnectionId
  readonly beginning: Beginning
  readonly slot: AgentSlot
  readonly output: AgentOutput<TranslatedItem>
  /** The connection; undefined when connecting failed, which its exit then reports. */
  readonly connected: Promise<Connection | undefined>
  readonly isConnected: boolean
  /** Resolves when its output is saved and it has exited. */
  readonly gone: Promise<void>
  /** Ends it, once. Its exit is then saved like any other. */
  end(ending: Ending): void
  /** Why we ended it. From then on it gets no interaction. */
  ending: Ending | null
  /** Which interaction its next line belongs to. */
  interactions: LineInteractions
  /** The approvals that it asked for. */
  readonly questions: Set<ApprovalId>
  /** Whether the conversation before it was handed over to it. */
  briefed: boolean
  /** The interaction that it was given, or that it started without a prompt. */
  serving: InteractionId | null
  /** Gives the interaction to a new agent with the conversation, because this one has lost its session. */
  startOver: (() => Promise<void>) | null
  /** Whether the journal has its connection. */
  announced: boolean
}
