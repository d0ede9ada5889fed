import type { Journal } from '../journal/journal.ts'
import { DragomanError } from '../protocol/error.ts'
import type { SessionId } from '../protocol/ids.ts'
import { advance } from './advance.ts'
import type { Catalogue } from './catalogue.ts'
import type { SessionState } from './session-state.ts'

const page = 1000

interface Parts {
  readonly journal: Journal
  readonly catalogue: Catalogue
}

/** Brings the rows of a session up to the end of its journal, and returns its state. */
export async function catchUp(parts: Parts, session: SessionId): Promise<SessionState> {
  const head = await parts.journal.head(session)
  const row = await parts.catalogue.get(session)
  // A state ahead of the journal has entries that were never acknowledged, so it cannot be trusted.
  return row === undefined || row.summary.seq > head
    ? rebuildRows(parts, session)
    : readOn(parts, session, await withQueue(parts, row), head)
}

/** The state in the rows of a session, which may be behind its journal; undefined when it has no rows. */
export async function storedState(parts: Parts, session: SessionId): Promise<SessionState | undefined> {
  const row = await parts.catalogue.get(session)
  return row && withQueue(parts, row)
}

/** Deletes the rows of a session and makes them again from the first entry. */
export async function rebuildRows(parts: Parts, session: SessionId): Promise<SessionState> {
  const head = await parts.journal.head(session)
  await parts.catalogue.forget(session)
  return readOn(parts, session, null, head)
}

async function readOn(
  { journal, catalogue }: Parts,
  session: SessionId,
  from: SessionState | null,
  head: number,
): Promise<SessionState> {
  let state = from
  while (state === null || state.summary.seq < head) {
    const entries = await journal.read(session, state?.summary.seq ?? 0, page)
    const { state: next, changes } = advance(state, entries)
    if (next === null || entries.length === 0) throw incomplete(session)
    await catalogue.save(changes)
    state = next
  }
  return state
}

/** Reads the parts of queued prompts, which are not stored in the state. */
async function withQueue({ journal }: Parts, state: SessionState): Promise<SessionState> {
  const { session } = state.summary
  const queue = await Promise.all(
    state.queue.map(async each => {
      const [entry] = await journal.read(session, each.queued.seq - 1, 1)
      return entry?.event.type === 'prompt-queued' ? { ...each, parts: entry.event.parts } : each
    }),
  )
  return { ...state, queue }
}

const incomplete = (session: SessionId) =>
  new DragomanError('session-damaged', `Session ${session} is not complete. Run "dragoman verify".`)
