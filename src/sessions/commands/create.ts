import type { CommandOf } from '../../protocol/command.ts'
import type { Event } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { OwnedSessions } from '../own/owned-sessions.ts'
import type { Reply } from './reply.ts'
import { agentNamed } from '../find-agent.ts'
import { inSlices } from '../in-slices.ts'

/** Creates a session. Its agent is started with the first prompt. */
export async function create(
  sessions: OwnedSessions,
  command: CommandOf<'create'>,
): Promise<Reply<'create'>> {
  const { journal, newId, agents, checkFolder, watchers, dataFolder } = sessions.host
  const agent = agentNamed(agents, command.agent)
  const { title = null, options = null } = command
  const cwd = await checkFolder(command.cwd)
  await agent.check?.({ options, cwd, dataFolder })
  const session = (command.session as SessionId | undefined) ?? newId<SessionId>()
  const entries = await journal.create(session, [
    { type: 'session-created', agent: agent.name, cwd, title, options },
    ...(command.legacy === undefined ? [] : await beginningOf(session, command.legacy, agent.name)),
  ])
  // The claim writes its rows in the catalogue.
  return sessions.use(session, async ({ writer }) => {
    watchers.notify(null, writer.state.summary)
    return { session, seq: entries.at(-1)?.seq ?? 1 }
  })
}

const formats = { anthropic: 'anthropic-messages', 'openai-chat': 'openai-chat', ui: 'ui-messages' } as const

/** The messages of a legacy array, as if they had been sent here. The session's agent continues from them. */
async function beginningOf(
  session: SessionId,
  { format, messages }: NonNullable<CommandOf<'create'>['legacy']>,
  agent: string,
): Promise<readonly Event[]> {
  const { migrateInSteps } = await import('../../context/legacy/migrate.ts')
  const { legacyEventsInSteps } = await import('../import/legacy-events.ts')
  const migrated = await inSlices(migrateInSteps(session, formats[format], messages))
  const events = await inSlices(legacyEventsInSteps(migrated))
  return events.length === 0 ? [] : [...events, { type: 'agent-assigned', agent }]
}
