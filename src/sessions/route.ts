import type { SessionSummary } from '../projections/summary.ts'
import type { PromptPart } from '../protocol/message.ts'
import type { OwnedSession } from './owned-session.ts'
import { agentNamed } from './start-agent.ts'

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

/** Finds the agent of a prompt, or refuses one that is not there. */
export function routeOf({ host, record }: OwnedSession, parts: readonly PromptPart[]): Route {
  const { summary } = record.state
  const found = findRoute(host.routes, { parts, text: textOf(parts), session: summary })
  if (found === null) return { agent: summary.agent, given: parts }
  return { ...found, agent: agentNamed(host.agents, found.agent).name }
}

const textOf = (parts: readonly PromptPart[]) =>
  parts.flatMap(part => (part.type === 'text' ? part.text : [])).join('\n')

function findRoute(routes: Routes, prompt: RoutedPrompt): Route | null {
  const { parts } = prompt
  if (typeof routes === 'function') {
    const agent = routes(prompt)
    return agent === null ? null : { agent, given: parts }
  }
  const at = parts.findIndex(part => part.type === 'text')
  const part = parts[at]
  const words = part?.type === 'text' ? /^\s*(\S+)\s*/.exec(part.text) : null
  const [begun = '', word = ''] = words ?? []
  const agent = Object.hasOwn(routes, word) ? routes[word] : undefined
  if (agent === undefined || part?.type !== 'text') return null
  const rest = parts.with(at, { type: 'text', text: part.text.slice(begun.length) })
  // Of a prompt that is only that word, nothing would be left.
  return { agent, given: textOf(rest).trim() === '' && parts.length === 1 ? parts : rest }
}
