import type { CommandOf } from '../protocol/command.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { LiveSessions } from './live-sessions.ts'
import type { Reply } from './reply.ts'
import { agentNamed } from './start-agent.ts'

/** Begins a session. Its agent is started with the first prompt. */
export async function create(lives: LiveSessions, command: CommandOf<'create'>): Promise<Reply<'create'>> {
  const { journal, newId, agents } = lives.host
  const { name } = agentNamed(agents, command.agent)
  const { cwd, title = null, options = null } = command
  const session = (command.session as SessionId | undefined) ?? newId<SessionId>()
  const [entry] = await journal.create(session, [
    { type: 'session-created', agent: name, cwd, title, options },
  ])
  // Opening it makes its rows in the catalogue.
  return lives.use(session, async () => ({ session, seq: entry?.seq ?? 1 }))
}
