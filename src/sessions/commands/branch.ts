import type { MessageRow } from '../../catalogue/change.ts'
import { userMessage } from '../../projections/user-message.ts'
import type { CommandOf } from '../../protocol/command.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { copyConversation } from './copy-conversation.ts'
import { refuseDeleted } from './delete-session.ts'
import type { OwnedSessions } from '../own/owned-sessions.ts'
import { prompt } from './prompt.ts'
import type { Reply } from './reply.ts'
import type { SessionView } from '../view/session-view.ts'
import { agentNamed } from '../find-agent.ts'

/**
 * Makes a new session of a conversation up to a message. At an answer it goes to the end of the interaction; at a
 * prompt it stops before, and the prompt is given again, in the same words or in others.
 */
export async function branch(
  sessions: OwnedSessions,
  command: CommandOf<'branch'>,
): Promise<Reply<'branch'>> {
  const { journal, newId, watchers } = sessions.host
  const session = (command.branch as SessionId | undefined) ?? newId<SessionId>()
  const source = await sessions.views.of(command.session as SessionId)
  refuseDeleted(source.record)
  agentNamed(source.host.agents, source.record.state.summary.agent)
  const message = await findMessage(source, command.message)
  const events = await copyConversation(source, {
    message: message.id,
    last: message.role === 'user' ? message.parent : message.id,
  })
  const parts = (command.parts as readonly PromptPart[] | undefined) ?? (await wordsOf(source, message))
  const entries = await journal.create(session, events)
  return sessions.use(session, async owned => {
    watchers.tell(null, owned.record.state.summary)
    if (parts !== null) await prompt(owned, { type: 'prompt', session, parts: [...parts] })
    return { session, seq: entries.at(-1)?.seq ?? 0 }
  })
}

async function findMessage({ host, record }: SessionView, id: string): Promise<MessageRow> {
  await record.settled()
  const message = await host.catalogue.findMessage(record.session, id, null)
  if (message === undefined)
    throw new DragomanError(
      'unknown-message',
      `Session ${record.session} has no message ${id} in its main conversation.`,
    )
  if (message.interaction === record.state.summary.running?.interaction)
    throw new DragomanError(
      'session-busy',
      `The message ${id} belongs to the running interaction of session ${record.session}. Wait until it ends, or stop it.`,
    )
  return message
}

/** The words of a prompt; null for an answer. */
async function wordsOf(
  { host, record }: SessionView,
  { role, firstSeq }: MessageRow,
): Promise<readonly PromptPart[] | null> {
  if (role !== 'user') return null
  const [entry] = await host.journal.read(record.session, firstSeq - 1, 1)
  return entry?.event.type === 'interaction-started' && userMessage(entry.event) ? entry.event.parts : null
}
