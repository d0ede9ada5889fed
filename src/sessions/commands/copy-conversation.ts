import { readEntries } from '../../catalogue/read-entries.ts'
import { sessionState } from '../../catalogue/session-state.ts'
import { project } from '../../projections/projection.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import { openParts } from '../../protocol/open-parts.ts'
import { optionsOf } from '../view/worker.ts'
import { createCopier } from './copier.ts'
import type { SessionView } from '../view/session-view.ts'

/** Where a conversation is cut: the message that was chosen, and the last one that stays. */
interface Cut {
  readonly message: string
  readonly last: string | null
}

const reason = 'The conversation was branched before this was done.'

/** The first events of a new session that has the same conversation up to a message, with nothing left open in it. */
export async function copyConversation(view: SessionView, { message, last }: Cut): Promise<readonly Event[]> {
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
    // The last interaction may have been another agent's.
    ...(state?.summary.agent === agent ? [] : [{ type: 'agent-assigned', agent } as const]),
  ]
}

/** What is open follows from events alone; their places are not known yet. */
const asEntry = (event: Event, index: number) => ({ seq: index + 1, at: 0, event }) as Entry
