import type { PromptPart } from '../../protocol/message.ts'
import { agentNamed } from '../find-agent.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Route, RoutedPrompt, Routes } from './routes.ts'

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
