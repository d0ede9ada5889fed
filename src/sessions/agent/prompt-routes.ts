import type { SessionSummary } from '../../projections/summary.ts'
import type { PromptPart } from '../../protocol/message.ts'

/** A prompt that a route chooses an agent for. */
export interface RoutedPrompt {
  readonly parts: readonly PromptPart[]
  /** Its text, without files. */
  readonly text: string
  readonly session: SessionSummary
}

/**
 * Which agent a prompt goes to: by its first word (`{ '@codex': 'codex' }`), or by a function that returns an agent's name
 * or null. The session stays with that agent until a prompt goes to another, or a person assigns another.
 */
export type Routes = Readonly<Record<string, string>> | ((prompt: RoutedPrompt) => string | null)

/** The agent of a prompt, and the parts that it gets: those of the person without the word that chose the agent. */
export interface Route {
  readonly agent: string
  readonly given: readonly PromptPart[]
}
