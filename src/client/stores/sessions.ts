import type { Caller } from '../call.ts'
import type { Connection } from '../follow/connection.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { sessionCommands } from '../session-commands.ts'
import type { Session } from '../session.ts'
import type { Surroundings } from '../surroundings.ts'
import { createSessionList, type SessionFilter, type SessionList } from './session-list.ts'
import { sessionReadables } from './session-readables.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'

/** What all sessions of a client share. */
export interface SessionsOptions extends Surroundings {
  readonly caller: Caller
  readonly connection: Connection
  readonly outbox: Outbox
  readonly pageSize: number
}

/** The sessions and lists that are in use: each is there once. */
export interface Sessions {
  readonly session: (id: string) => Session
  readonly list: (filter?: SessionFilter) => SessionList
  readonly running: SessionList
  readonly close: () => void
}

/** None is in use yet. */
export function createSessions(options: SessionsOptions): Sessions {
  const { connection, outbox } = options
  const open = new Map<string, { readonly session: Session; readonly store: SessionStore }>()
  const lists = new Map<string, SessionList>()
  const make = (id: string) => {
    const store = createSessionStore(id, options, () => {
      if (open.get(id)?.store === store) open.delete(id)
    })
    const readables = sessionReadables(id, store.state, connection.state, outbox.items)
    const { loadOlder } = store
    const session: Session = { id, ...readables, ...sessionCommands(id, options), loadOlder }
    return { session, store }
  }
  return {
    session(id) {
      const known = open.get(id) ?? make(id)
      open.set(id, known)
      return known.session
    },
    list(filter = {}) {
      const key = JSON.stringify(filter, Object.keys(filter).toSorted())
      const known = lists.get(key) ?? filteredList(options, filter, () => lists.delete(key))
      lists.set(key, known)
      return known
    },
    running: runningList(options),
    close: () => open.forEach(({ store }) => store.close()),
  }
}

function filteredList(options: SessionsOptions, filter: SessionFilter, left: () => void): SessionList {
  return createSessionList({
    ...options,
    read: (cursor, limit) => {
      const query = { ...filter, limit: String(limit), ...(cursor !== null && { cursor }) }
      return options.caller.call('listSessions', { query })
    },
    left,
  })
}

function runningList(options: SessionsOptions): SessionList {
  const read = async (status: 'running' | 'waiting') =>
    (await options.caller.call('listSessions', { query: { status, limit: '500' } })).sessions
  return createSessionList({
    ...options,
    read: async () => ({ sessions: [...(await read('waiting')), ...(await read('running'))], next: null }),
    left: () => {},
  })
}
