import { advance } from '../catalogue/advance.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { SessionState } from '../catalogue/session-state.ts'
import type { Journal, SavedOnce, Times } from '../journal/journal.ts'
import type { Entry } from '../protocol/entry.ts'
import type { Event } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import { createInTurn } from './in-turn.ts'
import type { Checkpoint } from './run-steps.ts'
import { createShelf } from './shelf.ts'
import type { Watchers } from './watchers.ts'

/** What a line is written with. */
export interface LineParts {
  readonly journal: Journal
  readonly catalogue: Catalogue
  readonly checkpoint: Checkpoint
  readonly watchers: Watchers
}

/** The one place where a session's events are saved, one append after the other, and where its state is known. */
export interface Line {
  readonly session: SessionId
  /** The session as it is saved. */
  readonly state: SessionState
  /** Looks at the state and saves, with nobody in between. */
  write<Result>(work: (pen: Pen) => Promise<Result>): Promise<Result>
  /** Resolves when the session has come into a state, or at an abort. */
  when(isSo: (state: SessionState) => boolean, signal?: AbortSignal): Promise<void>
  /** Resolves when the catalogue has been told all. */
  settled(): Promise<void>
}

/** The hand that writes; it is valid only within `write`. */
export interface Pen {
  append(events: readonly Event[]): Promise<readonly Entry[]>
  /** The same at most once for a key; what was saved before is given back. */
  appendOnce(key: string, events: readonly Event[], times?: Times): Promise<SavedOnce>
}

/** The line of a session from its state on; its rows in the catalogue may be behind. */
export function openLine(parts: LineParts, from: SessionState, isBehind: boolean): Line {
  const { session } = from.summary
  const inTurn = createInTurn()
  const shelf = createShelf(parts, session, isBehind)
  const watchers = new Set<() => void>()
  let state = from

  const saved = (entries: readonly Entry[]) => {
    const { state: next, changes } = advance(state, entries)
    const before = state
    state = next ?? state
    shelf.put(changes)
    parts.watchers.tell(before.summary, state.summary)
    for (const look of watchers) look()
  }

  return {
    session,
    get state() {
      return state
    },
    write: work => inTurn(() => work(createPen(parts, session, saved))),
    when(isSo, signal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = () => {
        if (signal?.aborted === true || isSo(state)) resolve()
      }
      watchers.add(look)
      signal?.addEventListener('abort', look)
      look()
      return promise.finally(() => {
        watchers.delete(look)
        signal?.removeEventListener('abort', look)
      })
    },
    settled: () => shelf.settled(),
  }
}

function createPen(
  { journal, checkpoint }: LineParts,
  session: SessionId,
  saved: (entries: readonly Entry[]) => void,
): Pen {
  const withSteps = async <Result>(events: readonly Event[], save: () => Promise<Result>) => {
    const ends = events.some(({ type }) => type === 'interaction-ended')
    await checkpoint('before-append')
    if (ends) await checkpoint('before-ended')
    const result = await save()
    if (ends) await checkpoint('after-ended')
    await checkpoint('after-append')
    return result
  }

  return {
    append: events =>
      withSteps(events, async () => {
        const entries = await journal.append(session, events)
        saved(entries)
        return entries
      }),
    appendOnce: (key, events, times) =>
      withSteps(events, async () => {
        const once = await journal.appendOnce(session, { key, ...(times && { times }) }, events)
        if (!once.repeated) saved(once.entries)
        return once
      }),
  }
}
