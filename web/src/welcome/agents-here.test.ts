import { expect, it } from 'vitest'
import type { ListedAgent } from '../agents/use-agents.ts'
import { agentGroups } from './agents-here.tsx'

const agent = (
  name: string,
  kind: 'agent' | 'model' | 'demo',
  status: ListedAgent['status'],
): ListedAgent => ({
  name,
  title: name.toUpperCase(),
  kind,
  status,
  version: null,
  tested: null,
  age: null,
  isLoggedIn: null,
  advice: null,
  capabilities: {},
  options: null,
  default: false,
})

it('[W1] installed coding agents come first, then those to install, then model APIs; the demo is not among them', () => {
  const groups = agentGroups([
    agent('scripted', 'demo', 'ready'),
    agent('openai', 'model', 'ready'),
    agent('claude', 'agent', 'missing'),
    agent('codex', 'agent', 'needs-login'),
    agent('gemini', 'agent', 'ready'),
  ])
  const names = Object.values(groups).map(group => group.map(({ name }) => name))
  expect(names).toEqual([['gemini', 'codex'], ['claude'], ['openai']])
})
