import type { CommandOf } from '../protocol/command.ts'
import { closedFor } from './ending.ts'
import type { LiveSession } from './live-session.ts'
import { refuseBusy } from './refuse-busy.ts'
import type { Reply } from './reply.ts'
import { agentNamed } from './start-agent.ts'

/** Gives a session to another agent, from its next interaction on. */
export async function assign(live: LiveSession, command: CommandOf<'assign'>): Promise<Reply<'assign'>> {
  const { name } = agentNamed(live.host.agents, command.agent)
  return live.wish(async pen => {
    if (live.line.state.summary.agent === name) return { seq: null }
    refuseBusy(live, 'be given to another agent')
    const [entry] = await pen.append([{ type: 'agent-assigned', agent: name }])
    live.agent?.end(closedFor(name))
    return { seq: entry?.seq ?? 0 }
  })
}
