import { createThreadCursor } from '../../projections/thread-cursor.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf, type Event, type EventOf } from '../../protocol/event.ts'
import type { InteractionId } from '../../protocol/ids.ts'

/** Collects the events of some interactions of a session, to copy them into another. */
export interface Copier {
  /** Entries must come in order, from the first. */
  take(entry: Entry): void
  /** Copies of the events until the last of the interactions ended, and the entry of that end. */
  copies(): { readonly seq: number; readonly events: readonly Event[] }
}

interface Copy {
  readonly seq: number
  readonly event: Event
}

/** A chunk, and the interaction in which its message started. */
interface Homed extends ThreadChunk {
  readonly home: InteractionId
}

/** Keeps the events of these interactions, wherever they are in the session, and nothing else. */
export function createCopier(interactions: Iterable<InteractionId>): Copier {
  const kept = new Set(interactions)
  const findHomes = createHomes()
  const asked = new Set<string>()
  const found: Copy[] = []
  let last = 1

  return {
    take({ seq, at, event }) {
      const own = findHomes(event).filter(({ home }) => kept.has(home))
      for (const { chunk } of own) if (chunk.type === 'tool-approval-request') asked.add(chunk.approvalId)
      const copy = copyOf(event, { kept, asked, own, at })
      if (copy === null) return
      found.push({ seq, event: copy })
      if (copy.type === 'interaction-ended' && kept.has(copy.interaction)) last = seq
    },
    copies() {
      const counts = ({ seq, event }: Copy) => seq <= last || isSaidLater(event)
      return { seq: last, events: found.filter(counts).map(({ event }) => event) }
    },
  }
}

/** The validity of a part may change much later: by a person, or by a rollback. */
function isSaidLater(event: Event): boolean {
  if (event.type === 'manipulation-applied') return event.actor.kind === 'person'
  return event.type === 'validity-changed' || event.type === 'manipulation-rolled-back'
}

/** Finds the interaction in which the message of each chunk started. */
function createHomes(): (event: Event) => readonly Homed[] {
  const cursor = createThreadCursor()
  const homes = new Map<string, InteractionId>()
  return event => {
    const interaction = 'interaction' in event ? event.interaction : null
    return chunksOf(event).flatMap(each => {
      const key = `${each.thread ?? ''} ${cursor.follow(each) ?? ''}`
      const home = homes.get(key) ?? interaction
      if (home === null) return []
      homes.set(key, home)
      return [{ ...each, home }]
    })
  }
}

/** What is copied from a session. */
interface Scope {
  readonly kept: ReadonlySet<InteractionId>
  /** The approvals that are copied. */
  readonly asked: ReadonlySet<string>
  /** The chunks of the event that are copied. */
  readonly own: readonly Homed[]
  readonly chunks: readonly ThreadChunk[]
  /** When the event was written. */
  readonly at: number
}

type Copying = {
  readonly [Type in Event['type']]: (event: EventOf<Type>, scope: Scope) => Event | null
}

const none = () => null

/** A table, so that the compiler requires a decision for each new event type. */
const copying: Copying = {
  'interaction-started': (event, { kept, at }) =>
    kept.has(event.interaction) ? { happened: at, ...event } : null,
  'interaction-ended': (event, { kept, chunks, at }) =>
    kept.has(event.interaction) || chunks.length > 0 ? { happened: at, ...event, chunks } : null,
  'agent-spoke': copySpoken,
  'host-spoke': copySpoken,
  // An exit has the chunks that it closed.
  'agent-exited': (event, { chunks }) => (chunks.length > 0 ? { ...event, chunks } : null),
  'approval-answered': (event, { asked }) => (asked.has(event.approval) ? event : null),
  'approval-lapsed': (event, { asked }) => (asked.has(event.approval) ? event : null),
  'validity-changed': (event, { kept }) => (kept.has(event.target.interaction) ? event : null),
  'manipulation-applied': copyManipulation,
  'manipulation-rejected': copyManipulation,
  // It has no effect on manipulations that are not copied.
  'manipulation-rolled-back': event => event,
  'context-compiled': none,
  'session-created': none,
  'session-renamed': none,
  'session-archived': none,
  'session-pinned': none,
  'session-unpinned': none,
  'session-restored': none,
  'session-deleted': none,
  'session-undeleted': none,
  'session-branched': none,
  'interactions-merged': none,
  'agent-assigned': none,
  'prompt-queued': none,
  'prompt-withdrawn': none,
  'interrupt-requested': none,
  'agent-connected': none,
  'conversation-handed-over': none,
  'agent-logged': none,
  'rule-made': none,
  'rule-revoked': none,
  'rules-dropped': none,
  'place-awaited': none,
  'saving-delayed': none,
}

function copyManipulation(
  event: EventOf<'manipulation-applied' | 'manipulation-rejected'>,
  { kept }: Scope,
): Event | null {
  const interactions = event.interactions.filter(interaction => kept.has(interaction))
  return interactions.length === 0 ? null : { ...event, interactions }
}

function copySpoken(
  event: EventOf<'agent-spoke' | 'host-spoke'>,
  { kept, own, chunks }: Scope,
): Event | null {
  const isKept = event.interaction !== null && kept.has(event.interaction)
  const interaction = isKept ? event.interaction : own[0]?.home
  return interaction === undefined ? null : { ...event, interaction, chunks }
}

function copyOf<Type extends Event['type']>(event: EventOf<Type>, scope: Omit<Scope, 'chunks'>) {
  const chunks = scope.own.map(({ thread, chunk }) => ({ thread, chunk }))
  const copy = copying[event.type]
  return copy(event, { ...scope, chunks })
}
