import type { Agent } from '../agents/agent.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import type { DragomanError } from '../protocol/error.ts'
import type { Raw } from '../protocol/event.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { FindAgent } from './find-agent.ts'
import type { SignIns } from './auth/sign-ins.ts'
import type { Tickets } from './auth/tickets.ts'
import type { ServerLimits } from './limits.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Streams } from './streams/streams.ts'

/** What all code of the server is given. */
export interface House {
  readonly sessions: Sessions
  readonly journal: Journal
  readonly bell: Bell
  readonly catalogue: Catalogue
  readonly agents: ReadonlyMap<string, Agent>
  readonly findAgent: FindAgent
  readonly options: HouseOptions
  readonly tickets: Tickets
  readonly signIns: SignIns
  readonly streams: Streams
  readonly metrics: Metrics
  readonly log: Log
  /** Aborted when the server shuts down: nothing new starts, and streams end with the position to continue from. */
  readonly draining: AbortSignal
  /** Why nothing can be saved or read at the moment; null when all is well. */
  readonly health: () => DragomanError | null
  readonly now: () => number
}

/** The settings of the server. */
export interface HouseOptions {
  /** The default agent and folder of new sessions. */
  readonly defaultAgent: string
  /** The folder of the web app, as it was built. */
  readonly web: string | undefined
  readonly defaultFolder: string
  readonly limits: ServerLimits
  /** Whether every stream of chunks is looked over by the linter while it is written. */
  readonly lint: boolean
  /** Gives a native line back byte for byte, wherever it is kept. */
  readonly rawBytes: (raw: Raw) => AsyncIterable<Uint8Array>
}
