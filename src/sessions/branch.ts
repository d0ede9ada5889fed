import type { MessageRow } from '../catalogue/change.ts'
import { userMessage } from '../projections/user-message.ts'
import type { CommandOf } from '../protocol/command.ts'
import { DragomanError } from '../protocol/error.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { PromptPart } from '../protocol/message.ts'
import { copyConversation } from './copy-conversation.ts'
import { refuseDeleted } from './delete-session.ts'
import type { LiveSession } from './live-session.ts'
import type { LiveSessions } from './live-sessions.ts'
import { prompt } from './prompt.ts'
import type { Reply } from './reply.ts'
import { agentNamed } from './start-agent.ts'

/**
 * Makes a new session of a conversation up to a message. At an answer it goes to the end of the interaction; at a
 * prompt it stops before, and the prompt is given again, in the same words or in others.
 */
export async function branch(lives: LiveSessions, command: CommandOf<'branch'>): Promise<Reply<'branch'>> {
  const { journal, newId, watchers } = lives.host
  const session = (command.branch as SessionId | undefined) ?? newId<SessionId>()
  const { events, parts } = await lives.use(command.session as SessionId, async live => {
    refuseDeleted(live.line)
    agentNamed(live.host.agents, live.line.state.summary.agent)
    const message = await findMessage(live, command.message)
    return {
      events: await copyConversation(live, {
        message: message.id,
        last: message.role === 'user' ? message.parent : message.id,
      }),
      parts: (command.parts as readonly PromptPart[] | undefined) ?? (await wordsOf(live, message)),
    }
  })
  const entries = await journal.create(session, events)
  return lives.use(session, async live => {
    watchers.tell(null, live.line.state.summary)
    if (parts !== null) await prompt(live, { type: 'prompt', session, parts: [...parts] })
    return { session, seq: entries.at(-1)?.seq ?? 0 }
  })
}

async function findMessage({ host, line }: LiveSession, id: string): Promise<MessageRow> {
  await line.settled()
  const message = await host.catalogue.findMessage(line.session, id, null)
  if (message === undefined)
    throw new DragomanError(
      'unknown-message',
      `Session ${line.session} has no message ${id} in its main conversation.`,
    )
  if (message.interaction === line.state.summary.running?.interaction)
    throw new DragomanError(
      'session-busy',
      `The message ${id} belongs to the running interaction of session ${line.session}. Wait until it ends, or stop it.`,
    )
  return message
}

/** The words of a prompt; null for an answer. */
async function wordsOf(
  { host, line }: LiveSession,
  { role, firstSeq }: MessageRow,
): Promise<readonly PromptPart[] | null> {
  if (role !== 'user') return null
  const [entry] = await host.journal.read(line.session, firstSeq - 1, 1)
  return entry?.event.type === 'interaction-started' && userMessage(entry.event) ? entry.event.parts : null
}
