import type { SessionId } from '../../protocol/ids.ts'
import type { EngineQuery, Found } from '../engine.ts'
import type { Added } from '../indexing.ts'
import type { Snippet } from '../match/snippet.ts'
import type { Term } from '../query/query.ts'

/** How far sessions are indexed. */
export type Positions = readonly (readonly [SessionId, number])[]

/** The calls of the thread that writes the index, with their answers. */
export interface IndexCalls {
  restart: { readonly asked: null; readonly answer: Positions }
  add: {
    readonly asked: { readonly session: SessionId; readonly texts: readonly string[] }
    readonly answer: Added
  }
  commit: { readonly asked: null; readonly answer: Positions }
  forget: { readonly asked: SessionId; readonly answer: null }
  /** Whether the file is still there. If not, the index is empty now. */
  check: { readonly asked: null; readonly answer: boolean }
  /** Throws the index away: it cannot be read. */
  remake: { readonly asked: null; readonly answer: null }
}

/** There is no index, or it is damaged. */
export type Unreadable = 'missing' | 'damaged'

/** A text to compare: the entries that have it. */
export interface MatchPart {
  readonly found: Found
  readonly texts: readonly string[]
}

/** The calls of the thread that reads the index and compares texts, with their answers. */
export interface QueryCalls {
  find: { readonly asked: EngineQuery; readonly answer: readonly Found[] | Unreadable }
  match: {
    readonly asked: { readonly terms: readonly Term[]; readonly parts: readonly MatchPart[] }
    readonly answer: readonly (Snippet | null)[]
  }
}

/** A call to a thread. It is answered before the next one is sent. */
export interface Asked {
  readonly name: string
  readonly asked: unknown
}

/** The answer of a thread. */
export type Answered = { readonly answer: unknown } | { readonly failure: string }
