import type { Tone } from '../ui/badge.tsx'
import type { ListedAgent } from './use-agents.ts'

/** Whether an agent can run here, as a label and a color. */
export function readinessOf({ status, lacks }: Pick<ListedAgent, 'status' | 'lacks'>): {
  readonly word: string
  readonly tone: Tone
} {
  switch (status) {
    case 'ready':
      return { word: 'Ready', tone: 'good' }
    case 'needs-login':
      return { word: lacks === undefined ? 'Needs login' : `Needs a ${lacks}`, tone: 'warn' }
    case 'missing':
      return { word: 'Not installed', tone: 'neutral' }
    case 'broken':
      return { word: 'Can’t run', tone: 'bad' }
  }
}

/** Whether a session can start with the agent. A login may be done in the meantime. */
export const canBeChosen = ({ status }: Pick<ListedAgent, 'status'>): boolean =>
  status === 'ready' || status === 'needs-login'

/** The default first, then those that are ready, then the others; each group as the server lists it. */
export function inOrder(agents: readonly ListedAgent[]): readonly ListedAgent[] {
  const rank = (agent: ListedAgent) =>
    agent.default ? 0 : agent.status === 'ready' ? 1 : canBeChosen(agent) ? 2 : 3
  return agents.toSorted((one, other) => rank(one) - rank(other))
}

/** The version, and how it compares with the tested ones where that matters. */
export function versionWords({
  version,
  age,
  tested,
}: Pick<ListedAgent, 'version' | 'age' | 'tested'>): string {
  if (version === null) return ''
  // A bare number needs the word "version"; a model name does not.
  const named = /^\d/.test(version) ? `version ${version}` : version
  if (age === null || age === 'tested' || tested === null) return named
  return `${named}, ${age} than the tested version (${tested})`
}

/** Why a session can't start with the chosen agent (null: the default one); null when it can. */
export function obstacle(agents: readonly ListedAgent[] | null, chosen: string | null): string | null {
  const agent = agents?.find(({ name, default: isDefault }) =>
    chosen === null ? isDefault : name === chosen,
  )
  if (agent === undefined || canBeChosen(agent)) return null
  return `${agent.title} is ${agent.status === 'missing' ? 'not installed on this machine' : 'installed but can’t run'}.`
}
