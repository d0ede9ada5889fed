import { DragomanError, isDragomanError } from '../protocol/error.ts'
import { readId, type SessionId } from '../protocol/ids.ts'
import type { SessionsApi } from './sessions-api/sessions-api.ts'

const shown = 3
const page = 200

/** Finds a session by its id, or by a unique prefix of it. */
export async function findSession(api: SessionsApi, given: string): Promise<SessionId> {
  const id = readId<SessionId>('session', given)
  try {
    await api.head(id)
    return id
  } catch (error) {
    if (!isDragomanError(error, 'unknown-session')) throw error
    return onlyOne(given, await beginningWith(api, given), error)
  }
}

function onlyOne(given: string, found: readonly SessionId[], unknown: DragomanError): SessionId {
  const [first, second] = found
  if (first === undefined) throw unknown
  if (second === undefined) return first
  const some = [...found.slice(0, shown), ...(found.length > shown ? ['…'] : [])].join(', ')
  throw new DragomanError(
    'unknown-session',
    `"${given}" matches several sessions: ${some}. Type more of the ID.`,
    { found },
  )
}

async function beginningWith(api: SessionsApi, beginning: string): Promise<readonly SessionId[]> {
  const found: SessionId[] = []
  for (const archived of [false, true]) {
    let cursor: string | null | undefined
    while (cursor !== null && found.length <= shown) {
      const filter = { query: beginning, archived, limit: page, ...(cursor !== undefined && { cursor }) }
      const { sessions, next } = await api.list(filter)
      found.push(...sessions.map(({ id }) => id as SessionId).filter(id => id.startsWith(beginning)))
      cursor = next
    }
  }
  return found
}
