import type { CommandOf } from '../../protocol/command.ts'
import { closedFor } from '../agent/ending.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import { refuseBusy } from './refuse-busy.ts'
import type { Reply } from './reply.ts'
import { agentNamed } from '../find-agent.ts'

/** Assigns a session to another agent, from its next interaction on. */
export async function assign(owned: OwnedSession, command: CommandOf<'assign'>): Promise<Reply<'assign'>> {
  const next = agentNamed(owned.host.agents, command.agent)
  const { name } = next
  const { dataFolder } = owned.host
  const { options } = command
  return owned.write(async appender => {
    const { agent, cwd } = owned.writer.state.summary
    if (agent === name && options === undefined) return { seq: null }
    refuseBusy(owned, 'be assigned to another agent')
    if (options !== undefined) await next.check?.({ options, cwd, dataFolder })
    const given = options === undefined ? {} : { options }
    const [entry] = await appender.append([{ type: 'agent-assigned', agent: name, ...given }])
    owned.agent?.end(closedFor(name))
    return { seq: entry?.seq ?? 0 }
  })
}
