import type { SessionSummary } from '../projections/summary.ts'
import type { Thread } from '../protocol/chunk.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Json } from '../protocol/json.ts'
import type { Need } from './query/need.ts'
import type { Filters, WordNeed } from './query/query.ts'

/** What a text is, in the order in which an engine numbers them. */
export const kinds = ['prompt', 'answer', 'thinking', 'tool-input', 'tool-output', 'title'] as const

/** What a text is. */
export type Kind = (typeof kinds)[number]

/** One text of a session. There is at most one for each thread, message, kind and part. */
export interface PartKey {
  readonly thread: Thread
  /** Null for a title. */
  readonly message: string | null
  readonly kind: Kind
  /** The id of the part in its message, or its index. */
  readonly part: string
}

/** A text and its place in the journal. */
export interface IndexedPart extends PartKey {
  /** The name of the tool, for an input or an output. */
  readonly tool: string | null
  /** The kind of the tool: `run`, `edit` … */
  readonly family: string | null
  /** The paths of the files that the call is about. */
  readonly files: readonly string[]
  readonly at: number
  /** The entries from which its text can be read again. */
  readonly first: number
  readonly seq: number
  readonly text: string
}

/** Names all texts of a part. */
export type RemovedPart = Omit<PartKey, 'kind'>

/** What consecutive entries of a session changed. */
export interface SessionBatch {
  readonly session: SessionId
  /** The last entry that is included. */
  readonly seq: number
  /** What reading on from there needs. */
  readonly state: Json
  readonly facts: Pick<SessionSummary, 'agent' | 'cwd' | 'status' | 'cost' | 'deleted'> | null
  /** Removed before the others are put. */
  readonly removed: readonly RemovedPart[]
  /** Each replaces the text with the same key; one without text only removes that. */
  readonly parts: readonly IndexedPart[]
}

/** Which places to find. Words are found exactly; what has the needs has to be compared with its text. */
export interface EngineQuery {
  readonly words: readonly WordNeed[]
  readonly needs: readonly Need[]
  readonly filters: Filters
  /** Only places before this one, which was the last of the page before. */
  readonly before: Cursor | null
  readonly limit: number
}

/** The place of a text. A cursor is valid for the same index only; in a rebuilt one it may be off by a few places. */
export interface Found extends PartKey {
  readonly cursor: Cursor
  readonly session: SessionId
  readonly at: number
  readonly first: number
  readonly seq: number
}

/** A place in the order of all texts, the newest first: its time, and what tells texts of the same time apart. */
export interface Cursor {
  readonly at: number
  readonly id: number
}

/**
 * An index of texts in a database. It has places and no texts, and every row can be made again from the journal. Each
 * implementation passes `describeEngine` of `engine.contract.ts`.
 */
export interface SearchEngine extends AsyncDisposable {
  /** How far each session is indexed. */
  positions(): Promise<ReadonlyMap<SessionId, number>>
  /** What was saved with the last batch of a session; undefined without one. */
  state(session: SessionId): Promise<{ readonly seq: number; readonly state: Json } | undefined>
  /** Saves batches: all of them or none. */
  save(batches: readonly SessionBatch[]): Promise<void>
  /** Deletes all of a session. */
  forget(session: SessionId): Promise<void>
  /** Places in sessions that are not deleted, the newest first. */
  find(query: EngineQuery): Promise<readonly Found[]>
}
