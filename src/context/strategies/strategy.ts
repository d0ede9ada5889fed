import type { ToolEffect, ToolFamily } from '../../protocol/known-tools.ts'
import type { Mark, Rendering } from '../../protocol/manipulation.ts'
import type { PairOutcome } from '../history.ts'

/** The fields of every rule: its name in the audit, its effect on the pairs it finds, and a short reason. */
export interface RuleBase {
  readonly name: string
  readonly to: Extract<Mark, 'superseded' | 'invalidated'>
  readonly rendering: Rendering
  readonly reason: string
}

/**
 * A later call with the same resources makes an earlier one obsolete. `exact`: the same resources; `covering`: the same, and its
 * lines include the earlier ones; `prefix`: the earlier resource is within the later one, as a file in a folder.
 */
export interface ParameterRule extends RuleBase {
  readonly match: 'exact' | 'covering' | 'prefix'
  /** The fields of the input with the resources of a call, for a tool that Dragoman does not know. */
  readonly on?: readonly string[]
  /** The tools of the earlier pair; by default those of the same family. */
  readonly families?: readonly ToolFamily[]
  /** Only earlier pairs, and only later ones, that ended so. */
  readonly before?: PairOutcome
  readonly now?: PairOutcome
}

/** A call makes earlier pairs of an owner, with these effects, outdated. */
export interface SemanticRule extends RuleBase {
  readonly owner: string
  readonly effects: readonly ToolEffect[]
  readonly match: 'same-resource' | 'any'
}

/** A tool's own pairs are valid only for a time. */
export interface AgeRule extends RuleBase {
  readonly seconds: number
}

/** The rules of a tool about which earlier results its calls make obsolete. */
export interface Strategy {
  readonly parameters?: readonly ParameterRule[]
  readonly invalidates?: readonly SemanticRule[]
  readonly age?: AgeRule
  /** The changes that follow when a pair of this tool is no longer valid. */
  readonly cascade?: readonly SemanticRule[]
  /** The name of a custom strategy, run elsewhere: after each result, and when an interaction ends. */
  readonly custom?: string
  readonly optimise?: string
  /** The owners that may change this tool's pairs. */
  readonly accepts?: readonly string[]
}

/** How long a custom strategy may run. */
export const customMilliseconds = 50
