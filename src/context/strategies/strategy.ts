import type { ToolEffect, ToolFamily } from '../../protocol/known-tools.ts'
import type { Mark, Rendering } from '../../protocol/manipulation.ts'
import type { PairOutcome } from '../history.ts'

/** What all rules say: their name in the audit, what becomes of the pairs they find, and why in a few words. */
export interface RuleBase {
  readonly name: string
  readonly to: Extract<Mark, 'superseded' | 'invalidated'>
  readonly rendering: Rendering
  readonly reason: string
}

/**
 * A later call about the same makes an earlier one obsolete. `exact`: the same resources; `covering`: the same, and its
 * lines hold the earlier ones; `prefix`: the earlier resource lies within the later one, as a file in a folder.
 */
export interface ParameterRule extends RuleBase {
  readonly match: 'exact' | 'covering' | 'prefix'
  /** The fields of the input that say what a call is about, for a tool that Dragoman does not know. */
  readonly on?: readonly string[]
  /** Of which tools the earlier pair may be; those of the same family unless it says otherwise. */
  readonly families?: readonly ToolFamily[]
  /** Only earlier pairs, and only later ones, that ended so. */
  readonly before?: PairOutcome
  readonly now?: PairOutcome
}

/** A call makes earlier pairs of an owner, with these effects, no longer true. */
export interface SemanticRule extends RuleBase {
  readonly owner: string
  readonly effects: readonly ToolEffect[]
  readonly match: 'same-resource' | 'any'
}

/** A tool's own pairs count only for a time. */
export interface AgeRule extends RuleBase {
  readonly seconds: number
}

/** What a tool knows of which earlier messages its work makes obsolete. */
export interface Strategy {
  readonly parameters?: readonly ParameterRule[]
  readonly invalidates?: readonly SemanticRule[]
  readonly age?: AgeRule
  /** What follows when a pair of this tool no longer counts. */
  readonly cascade?: readonly SemanticRule[]
  /** The name of a strategy of one's own, run elsewhere: after each result, and when an interaction ends. */
  readonly custom?: string
  readonly optimise?: string
  /** The owners that may change this tool's pairs. */
  readonly accepts?: readonly string[]
}

/** How long a strategy of one's own may think. */
export const customMilliseconds = 50
