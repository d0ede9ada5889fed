import type { Client, ListedSession, Readable } from 'dragoman/client'
import type { ReadSession } from './ledger.ts'

/** What was read so far. */
export interface LedgerState {
  readonly read: readonly ReadSession[]
  readonly isReading: boolean
  /** Why something could not be read, in a sentence. */
  readonly problem: string | null
}

/** Reads the questions of many sessions, a few sessions at a time. */
export interface LedgerReader extends Readable<LedgerState> {
  /** Reads a session, unless what is known of it is as new as this. */
  readonly want: (sessions: readonly ListedSession[]) => void
  /** Reads a session once more. */
  readonly again: (session: string) => void
  /** Reads what could not be read once more. */
  readonly retry: () => void
}

/** How many sessions are read at once. */
const mostAtOnce = 4

/** What tells that something was asked or answered; words that stream by do not. One question may follow another unseen. */
const markOf = ({ pending, status, interactions, seq }: ListedSession) =>
  `${pending} ${status} ${interactions} ${pending > 0 ? seq : ''}`

/** Whether the questions of a session were read since it was as it is listed. */
export const isReadIn = (read: readonly ReadSession[], session: ListedSession): boolean =>
  read.some(known => known.session.id === session.id && markOf(known.session) === markOf(session))

/** Begins with nothing read. */
export function createLedgerReader({ call }: Pick<Client, 'call'>): LedgerReader {
  const listeners = new Set<(state: LedgerState) => void>()
  const marks = new Map<string, string>()
  const read = new Map<string, ReadSession>()
  const queue = new Map<string, ListedSession>()
  const failed = new Map<string, ListedSession>()
  let atWork = 0
  let state: LedgerState = { read: [], isReading: false, problem: null }

  const show = (problem: string | null) => {
    state = { read: [...read.values()], isReading: atWork + queue.size > 0, problem }
    for (const listener of listeners) listener(state)
  }
  const readOne = async (session: ListedSession) => {
    const { id } = session
    const params = { session: id }
    await call('listApprovals', { params, query: { all: '1' } }).then(
      ({ approvals, rules }) => read.set(id, { session, approvals, rules }),
      (error: Error) => {
        marks.delete(id)
        failed.set(id, session)
        state = { ...state, problem: error.message }
      },
    )
  }
  const work = () => {
    for (const [id, session] of queue) {
      if (atWork >= mostAtOnce) return
      queue.delete(id)
      atWork += 1
      void readOne(session).then(() => {
        atWork -= 1
        work()
        show(state.problem)
      })
    }
  }
  const ask = (session: ListedSession) => {
    failed.delete(session.id)
    marks.set(session.id, markOf(session))
    queue.set(session.id, session)
  }
  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      listener(state)
      return () => listeners.delete(listener)
    },
    want(sessions) {
      const news = sessions.filter(session => marks.get(session.id) !== markOf(session))
      if (news.length === 0) return
      news.forEach(ask)
      work()
      show(null)
    },
    again(id) {
      const known = read.get(id)
      if (known === undefined) return
      ask(known.session)
      work()
      // What else could not be read is still to be told.
      show(failed.size > 0 ? state.problem : null)
    },
    retry() {
      if (failed.size === 0) return
      for (const session of failed.values()) ask(session)
      work()
      show(null)
    },
  }
}
