import type { CommandOf } from '../protocol/command.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { LiveSessions } from './live-sessions.ts'
import type { Reply } from './reply.ts'
import { agentNamed } from './start-agent.ts'

/** Begins a session. Its agent is started with the first prompt. */
export async function create(lives: LiveSessions, command: CommandOf<'create'>): Promise<Reply<'create'>> {
  const { journal, newId, agents, checkFolder, watchers } = lives.host
  const agent = agentNamed(agents, command.agent)
  const { title = null, options = null } = command
  const cwd = await checkFolder(command.cwd)
  await agent.check?.({ options, cwd })
  const session = (command.session as SessionId | undefined) ?? newId<SessionId>()
  const [entry] = await journal.create(session, [
    { type: 'session-created', agent: agent.name, cwd, title, options },
  ])
  // Opening it makes its rows in the catalogue.
  return lives.use(session, async ({ line }) => {
    watchers.tell(null, line.state.summary)
    return { session, seq: entry?.seq ?? 1 }
  })
}
