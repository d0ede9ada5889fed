import type { UsageRow } from 'dragoman/client/usage'
import { agentTitle, type Agents } from '../agents/use-agents.ts'

/** The same rows, with the display names of agents. */
export const titledRows = (rows: readonly UsageRow[], agents: Agents): readonly UsageRow[] =>
  rows.map(row => (row.agent === undefined ? row : { ...row, agent: agentTitle(agents, row.agent) }))
