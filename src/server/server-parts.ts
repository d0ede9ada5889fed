import type { Agent } from '../agents/agent.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import type { DragomanError } from '../protocol/error.ts'
import type { Raw } from '../protocol/event.ts'
import type { Following } from '../sessions/import/following.ts'
import type { Imports } from '../sessions/import/imports.ts'
import type { Search } from '../search/search.ts'
import type { PriceSettings } from '../prices/price-settings.ts'
import type { OpenPriceBook } from '../prices/open-price-book.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { FindAgent } from './find-agent.ts'
import type { SignIns } from './auth/sign-ins.ts'
import type { Tickets } from './auth/tickets.ts'
import type { ServerLimits } from './limits.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { ContextProfile, KeptPreferences } from './preferences.ts'
import type { CheckFolder } from './roots.ts'
import type { Streams } from './streams/streams.ts'

/** What all code of the server works with. */
export interface ServerParts {
  readonly sessions: Sessions
  readonly imports: Imports
  readonly following: Following
  readonly journal: Journal
  readonly bell: Bell
  readonly catalogue: Catalogue
  /** Undefined if the store has none. */
  readonly search: Search | undefined
  readonly agents: ReadonlyMap<string, Agent>
  readonly findAgent: FindAgent
  readonly checkFolder: CheckFolder
  readonly options: ServerSettings
  /** What a person chose in the app. */
  readonly preferences: KeptPreferences
  readonly dataFolder: string
  readonly tickets: Tickets
  readonly signIns: SignIns
  readonly streams: Streams
  readonly metrics: Metrics
  readonly log: Log
  /** Aborted when the server shuts down: nothing new starts, and streams end with the position to continue from. */
  readonly draining: AbortSignal
  /** Why the journal cannot be used at the moment; null if it can. */
  readonly health: () => DragomanError | null
  /** The prices of models, loaded when they are needed. */
  readonly openPrices: OpenPriceBook
  readonly now: () => number
}

/** The settings of the server. */
export interface ServerSettings {
  /** The default agent of new sessions: the configured one, or the best one that is ready. */
  readonly defaultAgent: () => Promise<string>
  /** The settings that were given at the start, so that the app cannot change them; null for those that it can. */
  readonly fixed: {
    readonly agent: string | null
    readonly context: ContextProfile | null
  }
  /** The prices that replace those of the table. */
  readonly prices: PriceSettings
  /** The folder of the built web app. */
  readonly web: string | undefined
  /** The default folder of new sessions. */
  readonly defaultFolder: string
  /** The folders that agents may work in. */
  readonly roots: readonly string[]
  readonly limits: ServerLimits
  /** Whether the linter checks every stream of chunks. */
  readonly lint: boolean
  /** Returns the original bytes of a native line, from memory or from its file. */
  readonly rawBytes: (raw: Raw) => AsyncIterable<Uint8Array>
}
