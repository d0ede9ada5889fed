import type { PromptPart } from '../../protocol/message.ts'
import { agentNamed } from '../find-agent.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Route, RoutedPrompt, Routes } from './prompt-routes.ts'

/** Finds the agent of a prompt; throws when there is no such agent. */
export function findRoute({ host, writer }: OwnedSession, parts: readonly PromptPart[]): Route {
  const { summary } = writer.state
  const found = chosenRoute(host.routes, { parts, text: textOf(parts), session: summary })
  if (found === null) return { agent: summary.agent, given: parts }
  return { ...found, agent: agentNamed(host.agents, found.agent).name }
}

const textOf = (parts: readonly PromptPart[]) =>
  parts.flatMap(part => (part.type === 'text' ? part.text : [])).join('\n')

function chosenRoute(routes: Routes, prompt: RoutedPrompt): Route | null {
  const { parts } = prompt
  if (typeof routes === 'function') {
    const agent = routes(prompt)
    return agent === null ? null : { agent, given: parts }
  }
  const at = parts.findIndex(part => part.type === 'text')
  const part = parts[at]
  const match = part?.type === 'text' ? /^\s*(\S+)\s*/.exec(part.text) : null
  const [begun = '', word = ''] = match ?? []
  const agent = Object.hasOwn(routes, word) ? routes[word] : undefined
  if (agent === undefined || part?.type !== 'text') return null
  const rest = parts.with(at, { type: 'text', text: part.text.slice(begun.length) })
  // A prompt with only that word would become empty.
  return { agent, given: textOf(rest).trim() === '' && parts.length === 1 ? parts : rest }
}
