import type { CommandOf } from '../protocol/command.ts'
import { closedFor } from './ending.ts'
import type { LiveSession } from './live-session.ts'
import { refuseBusy } from './refuse-busy.ts'
import type { Reply } from './reply.ts'
import { agentNamed } from './start-agent.ts'

/** Gives a session to another agent, from its next interaction on. */
export async function assign(live: LiveSession, command: CommandOf<'assign'>): Promise<Reply<'assign'>> {
  const next = agentNamed(live.host.agents, command.agent)
  const { name } = next
  const { dataFolder } = live.host
  const { options } = command
  return live.wish(async pen => {
    const { agent, cwd } = live.line.state.summary
    if (agent === name && options === undefined) return { seq: null }
    refuseBusy(live, 'be assigned to another agent')
    if (options !== undefined) await next.check?.({ options, cwd, dataFolder })
    const given = options === undefined ? {} : { options }
    const [entry] = await pen.append([{ type: 'agent-assigned', agent: name, ...given }])
    live.agent?.end(closedFor(name))
    return { seq: entry?.seq ?? 0 }
  })
}
