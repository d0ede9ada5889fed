import type { SessionSummary } from '../../projections/summary.ts'
import type { Need } from './need.ts'

/** A word, which may be a piece of an identifier in camel case. */
export interface WordTerm {
  readonly type: 'word'
  /** In the form in which words are compared. */
  readonly word: string
  /** Whether it may be the beginning of a longer word. */
  readonly isPrefix: boolean
}

/** A text that must appear as it is, in any case of its letters. */
export interface ExactTerm {
  readonly type: 'exact'
  readonly text: string
  /** The words that every text with it has. */
  readonly words: readonly WordNeed[]
}

/** A word, or else the pieces of an identifier. The last of them may be the beginning of a longer word. */
export interface WordNeed {
  readonly word: string
  readonly isPrefix: boolean
  readonly pieces?: readonly string[]
}

/** A regular expression. */
export interface PatternTerm {
  readonly type: 'pattern'
  readonly source: string
  readonly flags: string
  /** The texts that every match has; null if that is unknown. */
  readonly need: Need | null
}

/** What a text must have. */
export type Term = WordTerm | ExactTerm | PatternTerm

/** Which places are searched. */
export interface Filters {
  readonly session?: string
  readonly agent?: string
  /** A part of the session's folder. */
  readonly folder?: string
  /** A tool by its name or its kind: calls of it, and their results. */
  readonly tool?: string
  /** A part of the path of a file: calls about it, and their results. */
  readonly file?: string
  readonly status?: SessionSummary['status']
  /** In milliseconds, not included. */
  readonly before?: number
  /** In milliseconds, included. */
  readonly after?: number
  readonly costAbove?: number
  readonly costBelow?: number
}

/** A query, understood. A place is found if its text has every term. */
export interface Query {
  readonly terms: readonly Term[]
  readonly filters: Filters
}
