import type { SessionId } from '../protocol/ids.ts'
import type { Kind } from './engine.ts'
import type { Range } from './match/range.ts'
import type { Filters } from './query/query.ts'

/** What to search for. */
export interface SearchWish {
  /** Words, `"exact text"`, `/pattern/` and filters. */
  readonly query: string
  /** More filters by name, as they are written in a query. */
  readonly filters?: Readonly<Partial<Record<keyof Filters, string>>>
  /** The `next` of the page before. */
  readonly cursor?: string
  readonly limit: number
}

/** A text that was found, and its place. */
export interface Hit {
  readonly session: SessionId
  /** The entry that completed the text. */
  readonly seq: number
  /** Null for a title. */
  readonly messageId: string | null
  /** The part of the message, as in context changes: its message and its id or index. Null for a title. */
  readonly part: string | null
  readonly kind: Kind
  readonly at: number
  readonly snippet: string
  /** What was found in the snippet. */
  readonly ranges: readonly Range[]
}

/** Hits, the newest first. A page may have few hits although there are more. */
export interface SearchPage {
  readonly hits: readonly Hit[]
  /** Null on the last page. */
  readonly next: string | null
  /** How many entries are not indexed yet. */
  readonly behind: number
}

/** Search over the texts of all sessions. */
export interface Search extends AsyncDisposable {
  /** Begins to index in the background, and goes on as entries are saved. */
  start(): void
  /** Something was saved in a session. */
  readonly notice: (session: SessionId) => void
  /** A query that cannot be understood is refused with a sentence. */
  find(wish: SearchWish): Promise<SearchPage>
  /** How many entries are not indexed yet. */
  behind(): Promise<number>
  /** Whether there is more to index. */
  isBusy(): boolean
  /** Resolves when everything that was saved until now is indexed, or after a time. */
  settle(atMostMs: number): Promise<void>
}
