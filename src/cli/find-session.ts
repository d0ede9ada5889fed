import { DragomanError, isDragomanError } from '../protocol/error.ts'
import { readId, type SessionId } from '../protocol/ids.ts'
import type { Desk } from './desk/desk.ts'

const shown = 3
const page = 200

/** Finds a session by its id, or by the beginning of it where that fits only one. */
export async function findSession(desk: Desk, given: string): Promise<SessionId> {
  const id = readId<SessionId>('session', given)
  try {
    await desk.head(id)
    return id
  } catch (error) {
    if (!isDragomanError(error, 'unknown-session')) throw error
    return onlyOne(given, await beginningWith(desk, given), error)
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

async function beginningWith(desk: Desk, beginning: string): Promise<readonly SessionId[]> {
  const found: SessionId[] = []
  for (const archived of [false, true]) {
    let cursor: string | null | undefined
    while (cursor !== null && found.length <= shown) {
      const filter = { query: beginning, archived, limit: page, ...(cursor !== undefined && { cursor }) }
      const { sessions, next } = await desk.list(filter)
      found.push(...sessions.map(({ id }) => id as SessionId).filter(id => id.startsWith(beginning)))
      cursor = next
    }
  }
  return found
}
