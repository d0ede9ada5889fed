import { readEntries } from '../../catalogue/read-entries.ts'
import { sessionState, type SessionState } from '../../catalogue/session-state.ts'
import type { CommandOf } from '../../protocol/command.ts'
import type { Entry } from '../../protocol/entry.ts'
import { DragomanError } from '../../protocol/error.ts'
import { chunksOf, type Event } from '../../protocol/event.ts'
import type { InteractionId, SessionId } from '../../protocol/ids.ts'
import { openParts } from '../../protocol/open-parts.ts'
import { createCopier } from './copier.ts'
import { refuseDeleted } from './delete-session.ts'
import { closedForMerge } from '../agent/ending.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { OwnedSessions } from '../own/owned-sessions.ts'
import { refuseBusy } from './refuse-busy.ts'
import type { Reply } from './reply.ts'
import type { SessionView } from '../view/session-view.ts'

const reason = 'The conversation was merged before this was done.'

/** The interactions that are merged from another session. */
interface Brought {
  readonly from: SessionId
  readonly interactions: readonly InteractionId[]
  readonly seq: number
  readonly events: readonly Event[]
}

/**
 * Appends interactions of one session to another, with their origin. They keep their ids, so interactions that were merged before,
 * or that a branch has copied, are not merged again. The source session does not change.
 */
export async function merge(sessions: OwnedSessions, command: CommandOf<'merge'>): Promise<Reply<'merge'>> {
  const [session, from] = [command.session as SessionId, command.from as SessionId]
  if (session === from)
    throw new DragomanError(
      'invalid-input',
      'A session cannot be merged into itself. Choose another one in "from".',
    )
  return sessions.use(session, async owned => {
    refuseDeleted(owned.writer)
    return owned.write(async appender => {
      refuseBusy(owned, 'be merged into')
      const brought = await bring(await sessions.views.of(from), owned, command)
      if (brought.interactions.length === 0) return { interactions: [], seq: null }
      const entries = await appender.append(eventsOf(owned.writer.state, brought))
      owned.agent?.end(closedForMerge)
      return { interactions: brought.interactions, seq: entries.at(-1)?.seq ?? 0 }
    })
  })
}

async function bring(other: SessionView, owned: OwnedSession, command: CommandOf<'merge'>): Promise<Brought> {
  refuseDeleted(other.record)
  refuseBusy(other, 'be merged into another')
  const { host, record } = other
  const { session: from, seq } = record.state.summary
  await Promise.all([record.settled(), owned.writer.settled()])
  const wanted = command.interactions ?? (await conversationOf(other))
  const interactions: InteractionId[] = []
  for (const id of wanted as readonly InteractionId[]) {
    if (!(await host.catalogue.hasInteraction(from, id)))
      throw new DragomanError('unknown-interaction', `Session ${from} has no interaction ${id}.`)
    if (!(await host.catalogue.hasInteraction(owned.writer.session, id))) interactions.push(id)
  }
  const copier = createCopier(interactions)
  if (interactions.length > 0)
    for await (const entry of readEntries(host.journal, from, 1, seq)) copier.take(entry)
  const events = await Promise.all(withOwnAudit(copier.copies().events).map(event => placedIn(owned, event)))
  await refuseKnownMessages(owned, events)
  return { from, interactions, seq, events }
}

/** All interactions of the current conversation, the oldest first. */
async function conversationOf({ host, record }: SessionView): Promise<readonly InteractionId[]> {
  const { messages } = await host.catalogue.messages(record.session, { thread: null, limit: 1 })
  const [newest] = messages
  return newest === undefined ? [] : (await host.catalogue.path(record.session, newest.id)).toReversed()
}

/**
 * Changes by policies were for the requests of the other session, and refer to its numbers. A rollback undoes only changes that were
 * merged with it.
 */
function withOwnAudit(events: readonly Event[]): readonly Event[] {
  const known = new Set<string>()
  return events.flatMap((event): readonly Event[] => {
    if (event.type === 'manipulation-applied') {
      if (event.actor.kind === 'policy') return []
      known.add(event.manipulation)
    }
    if (event.type !== 'manipulation-rolled-back') return [event]
    const manipulations = event.manipulations.filter(id => known.has(id))
    if (manipulations.length === 0) return []
    known.add(event.rollback)
    return [{ ...event, manipulations }]
  })
}

/** Clients choose the ids of prompts. When this session already has the id, the copy gets the id of its interaction. */
async function placedIn({ host, writer }: OwnedSession, event: Event): Promise<Event> {
  if (event.type !== 'interaction-started') return event
  // It continues from the messages here; the messages that it replaced there are not here.
  const { parent: _, ...started } = event
  if (started.prompt === null) return started
  const known = await host.catalogue.findMessage(writer.session, started.prompt, null)
  return known === undefined ? started : { ...started, prompt: null }
}

async function refuseKnownMessages({ host, writer }: OwnedSession, events: readonly Event[]): Promise<void> {
  for (const { thread, chunk } of events.flatMap(chunksOf)) {
    if (chunk.type !== 'start') continue
    if ((await host.catalogue.findMessage(writer.session, chunk.messageId, thread)) === undefined) continue
    throw new DragomanError(
      'change-refused',
      `Session ${writer.session} already has a message ${chunk.messageId}, so these interactions cannot be merged into it.`,
    )
  }
}

function eventsOf(before: SessionState, { from, interactions, seq, events }: Brought): readonly Event[] {
  const { agent, session, seq: head } = before.summary
  const after = events.reduce<SessionState | null>(
    (state, event, index) =>
      sessionState.apply(state, { session, seq: head + index + 1, at: 0, event } as Entry),
    before,
  )
  const open = after?.open ?? before.open
  const chunks = openParts.closeAll(open, { errorText: reason, reason: 'interrupted' })
  return [
    ...events,
    { type: 'interactions-merged', from, interactions, seq, chunks },
    // The last interaction may belong to another agent.
    ...(after?.summary.agent === agent ? [] : [{ type: 'agent-assigned', agent } as const]),
  ]
}
