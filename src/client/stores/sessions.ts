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

/** Sessions and lists, each only once. One without subscribers costs almost nothing. */
export interface Sessions {
  readonly session: (id: string) => Session
  readonly list: (filter?: SessionFilter) => SessionList
  readonly running: SessionList
  readonly close: () => void
}

/** Starts with none. */
export function createSessions(options: SessionsOptions): Sessions {
  const { connection, outbox } = options
  const known = new Map<string, { readonly session: Session; readonly store: SessionStore }>()
  const lists = new Map<string, SessionList>()
  const make = (id: string) => {
    const store = createSessionStore(id, options)
    const readables = sessionReadables(id, store.state, connection.state, outbox.items)
    const { loadOlder } = store
    const session: Session = { id, ...readables, ...sessionCommands(id, options), loadOlder }
    return { session, store }
  }
  return {
    session(id) {
      const each = known.get(id) ?? make(id)
      known.set(id, each)
      return each.session
    },
    list(filter = {}) {
      const key = JSON.stringify(filter, Object.keys(filter).toSorted())
      const each = lists.get(key) ?? filteredList(options, filter)
      lists.set(key, each)
      return each
    },
    running: runningList(options),
    close: () => known.forEach(({ store }) => store.close()),
  }
}

function filteredList(options: SessionsOptions, filter: SessionFilter): SessionList {
  return createSessionList({
    ...options,
    read: (limit, cursor) => {
      const query = { ...filter, limit: String(limit), ...(cursor !== null && { cursor }) }
      return options.caller.call('listSessions', { query })
    },
  })
}

function runningList(options: SessionsOptions): SessionList {
  const read = async (status: 'running' | 'waiting') =>
    (await options.caller.call('listSessions', { query: { status, limit: '500' } })).sessions
  return createSessionList({
    ...options,
    async read() {
      const all = [...(await read('waiting')), ...(await read('running'))]
      // A session that was answered between the two reads is in both lists; the later read is right.
      return { sessions: [...new Map(all.map(each => [each.id, each])).values()], next: null }
    },
  })
}
