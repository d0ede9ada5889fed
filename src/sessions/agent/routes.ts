import type { SessionSummary } from '../../projections/summary.ts'
import type { PromptPart } from '../../protocol/message.ts'

/** A prompt for which an agent is chosen. */
export interface RoutedPrompt {
  readonly parts: readonly PromptPart[]
  /** Its words without files. */
  readonly text: string
  readonly session: SessionSummary
}

/**
 * Which agent a prompt goes to: by the word that it begins with (`{ '@codex': 'codex' }`), or by a function that names
 * one or gives null. The session stays with that agent until a prompt goes to another, or someone assigns it.
 */
export type Routes = Readonly<Record<string, string>> | ((prompt: RoutedPrompt) => string | null)

/** The agent of a prompt, and what it is given: the person's words without the word that chose it. */
export interface Route {
  readonly agent: string
  readonly given: readonly PromptPart[]
}
