import type { MessageRow } from '../../catalogue/change.ts'
import { readEntries } from '../../catalogue/read-entries.ts'
import { sessionState } from '../../catalogue/session-state.ts'
import { project } from '../../projections/projection.ts'
import { userMessage } from '../../projections/user-message.ts'
import type { CommandOf } from '../../protocol/command.ts'
import type { Entry } from '../../protocol/entry.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Event } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { openParts } from '../../protocol/open-parts.ts'
import { createCopier } from './copier.ts'
import { refuseDeleted } from './delete-session.ts'
import type { OwnedSessions } from '../own/owned-sessions.ts'
import { prompt } from './prompt.ts'
import type { Reply } from './reply.ts'
import type { SessionView } from '../view/session-view.ts'
import { optionsOf } from '../view/session-agent.ts'
import { agentNamed } from '../find-agent.ts'

/**
 * Creates a session from a conversation up to a message. At an answer, it is copied to the end of the interaction. At a prompt, it is
 * copied up to the prompt, which is then sent again, edited or not.
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
  const parts = (command.parts as readonly PromptPart[] | undefined) ?? (await promptParts(source, message))
  const entries = await journal.create(session, events)
  return sessions.use(session, async owned => {
    watchers.notify(null, owned.writer.state.summary)
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

/** The parts of a prompt; null for an answer. */
async function promptParts(
  { host, record }: SessionView,
  { role, firstSeq }: MessageRow,
): Promise<readonly PromptPart[] | null> {
  if (role !== 'user') return null
  const [entry] = await host.journal.read(record.session, firstSeq - 1, 1)
  return entry?.event.type === 'interaction-started' && userMessage(entry.event) ? entry.event.parts : null
}

/** Where a conversation is cut: the chosen message, and the last one that is copied. */
interface Cut {
  readonly message: string
  readonly last: string | null
}

const reason = 'The conversation was branched before this was done.'

/** The first events of a session with the same conversation up to a message. Open parts are closed. */
async function copyConversation(view: SessionView, { message, last }: Cut): Promise<readonly Event[]> {
  const { host, record } = view
  const { session, seq: head, title, agent, cwd } = record.state.summary
  const copier = createCopier(last === null ? [] : await host.catalogue.path(session, last))
  for await (const entry of readEntries(host.journal, session, 1, head)) copier.take(entry)
  const { seq, events: copies } = copier.copies()
  const created: Event = { type: 'session-created', agent, cwd, title, options: await optionsOf(view) }
  const events = [created, ...copies]
  const state = project(sessionState, events.map(asEntry))
  const open = state?.open ?? openParts.initial
  const chunks = openParts.closeAll(open, { errorText: reason, reason: 'interrupted' })
  return [
    ...events,
    { type: 'session-branched', from: session, message, seq, chunks },
    // The last interaction may belong to another agent.
    ...(state?.summary.agent === agent ? [] : [{ type: 'agent-assigned', agent } as const]),
  ]
}

/** An entry without its real number and time, which the open parts do not depend on. */
const asEntry = (event: Event, index: number) => ({ seq: index + 1, at: 0, event }) as Entry
