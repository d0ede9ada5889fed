import { advance } from '../../catalogue/advance.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { catchUp } from '../../catalogue/catch-up.ts'
import type { Change } from '../../catalogue/change.ts'
import type { SessionState } from '../../catalogue/session-state.ts'
import type { Journal, SavedOnce, Times } from '../../journal/journal.ts'
import type { Entry } from '../../protocol/entry.ts'
import { errorMessage, isDragomanError, type DragomanError } from '../../protocol/error.ts'
import { continuesText, type Event } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Host } from '../host.ts'
import type { SessionRecord, Trouble } from '../view/session-view.ts'
import { wait } from '../wait.ts'

/** The one writer of a session: it saves every event, one append after the other, and has the state. */
export interface SessionWriter extends SessionRecord {
  readonly trouble: Trouble | null
  /** For commands: a failure to save is reported to the caller at once. Nothing else is saved in between. */
  write<Result>(work: (appender: Appender) => Promise<Result>): Promise<Result>
  /** For what has already happened: nothing may be lost, so saving is retried until it succeeds. */
  appendUntilSaved(eventsFor: (state: SessionState) => readonly Event[]): Promise<readonly Entry[]>
  /** Resolves when the session has reached a state, or at an abort. Text that only continues is not looked at. */
  when(isReached: (state: SessionState) => boolean, signal?: AbortSignal): Promise<void>
}

/** Saves events; valid only within `write`. */
export interface Appender {
  append(events: readonly Event[]): Promise<readonly Entry[]>
  /** The same, at most once for a key. A repeated key returns the entries that were saved before. */
  appendOnce(key: string, events: readonly Event[], times?: Times): Promise<SavedOnce>
}

/** What a writer needs. `stuck` is called when nothing could be saved for `saveMs`; saving is still retried. */
export interface WriterOptions {
  readonly host: Host
  /** The state at the end of the journal. */
  readonly from: SessionState
  /** Whether the rows in the catalogue are behind the journal. */
  readonly isBehind: boolean
  readonly stuck: (error: DragomanError) => void
  /** Called with entries that were just saved, unless they only continue text. */
  readonly saved: (entries: readonly Entry[]) => void
}

/** Opens the writer of a session. There must be only one per session. */
export function openSessionWriter({ host, from, isBehind, stuck, ...options }: WriterOptions): SessionWriter {
  const { session } = from.summary
  const { limits, now, stopped, watchers } = host
  const inTurn = createInTurn()
  const rows = createCatalogueRows(host, session, isBehind)
  const waiting = new Set<() => void>()
  let state = from
  let failed: { readonly error: DragomanError; readonly since: number } | null = null

  const saved = (entries: readonly Entry[]) => {
    const { state: next, changes } = advance(state, entries)
    const before = state
    state = next ?? state
    rows.put(changes)
    if (entries.every(({ event }) => continuesText(event))) return
    watchers.notify(before.summary, state.summary)
    for (const look of waiting) look()
    options.saved(entries)
  }
  const appender = createAppender(host, session, saved)
  const refuseInTrouble = () => {
    if (failed !== null) throw failed.error
  }
  const appendNow = (eventsFor: (state: SessionState) => readonly Event[]) =>
    inTurn(async () => {
      const events = [...eventsFor(state), ...(failed === null ? [] : [delayed(failed, now())])]
      const entries = events.length === 0 ? [] : await appender.append(events)
      failed = null
      return entries
    })

  return {
    session,
    get state() {
      return state
    },
    get trouble() {
      return failed && troubleOf(session, failed.error, failed.since)
    },
    async write(work) {
      refuseInTrouble()
      return inTurn(() => {
        refuseInTrouble()
        return work(appender)
      })
    },
    async appendUntilSaved(eventsFor) {
      const { retryMs, maxRetryMs, saveMs } = limits
      for (let pause = retryMs; ; pause = Math.min(pause * 2, maxRetryMs)) {
        try {
          return await appendNow(eventsFor)
        } catch (error) {
          if (!isDragomanError(error, 'disk-full', 'save-failed') || stopped.aborted) throw error
          failed = { error, since: failed?.since ?? now() }
          const left = failed.since + saveMs - now()
          if (left <= 0) stuck(error)
          await wait(left > 0 ? Math.min(pause, left) : pause, stopped)
        }
      }
    },
    when(isReached, signal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = () => {
        if (signal?.aborted === true || isReached(state)) resolve()
      }
      waiting.add(look)
      signal?.addEventListener('abort', look)
      look()
      return promise.finally(() => {
        waiting.delete(look)
        signal?.removeEventListener('abort', look)
      })
    },
    settled: () => rows.settled(),
  }
}

function createAppender(
  { journal, checkpoint }: Host,
  session: SessionId,
  saved: (entries: readonly Entry[]) => void,
): Appender {
  const withSteps = async <Result>(events: readonly Event[], save: () => Promise<Result>) => {
    if (checkpoint === null) return save()
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

/** Runs tasks one at a time, in the order of the calls. A task that fails does not stop the next. */
export function createInTurn() {
  let last: Promise<unknown> = Promise.resolve()

  return <Result>(task: () => Promise<Result>): Promise<Result> => {
    const result = last.then(task)
    last = result.catch(() => {})
    return result
  }
}

/** Keeps the rows of one session up to date with its journal, without delaying the saving of events. */
interface CatalogueRows {
  put(changes: readonly Change[]): void
  /** Resolves when the changes so far are written, or could not be written and wait for the next repair. */
  settled(): Promise<void>
}

/** Rows that are behind catch up from the journal with the next entry. */
export function createCatalogueRows(
  parts: { readonly journal: Journal; readonly catalogue: Catalogue },
  session: SessionId,
  isBehind: boolean,
): CatalogueRows {
  let behind = isBehind
  let catchingUp = false
  let writing: Promise<unknown> = Promise.resolve()

  const fallBehind = () => {
    behind = true
  }
  const repair = async () => {
    catchingUp = true
    try {
      while (behind) {
        behind = false
        await catchUp(parts, session)
      }
    } catch {
      fallBehind()
    } finally {
      catchingUp = false
    }
  }
  const put = async (changes: readonly Change[]) => {
    // Rows that are written during a repair would be overwritten by it with older ones.
    if (catchingUp) return fallBehind()
    return behind ? repair() : parts.catalogue.save(changes).catch(fallBehind)
  }

  return {
    put(changes) {
      if (changes.length > 0 || behind) writing = Promise.all([writing, put(changes)])
    },
    async settled() {
      await writing
    },
  }
}

/** Describes the error of a session that cannot be saved. */
export function troubleOf(session: SessionId, error: unknown, since: number): Trouble {
  const code = isDragomanError(error) ? error.code : 'save-failed'
  return { session, code, message: errorMessage(error), since }
}

const delayed = (
  { error, since }: { readonly error: DragomanError; readonly since: number },
  at: number,
): Event => ({ type: 'saving-delayed', code: error.code, milliseconds: at - since })
