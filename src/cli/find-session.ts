import { DragomanError, isDragomanError } from '../protocol/error.ts'
import { readId, type SessionId } from '../protocol/ids.ts'
import type { House } from './open-house.ts'

const shown = 3
const page = 200

/** Finds a session by its id, or by the beginning of it where that fits only one. */
export async function findSession(house: House, given: string): Promise<SessionId> {
  const id = readId<SessionId>('session', given)
  try {
    await house.journal.head(id)
    return id
  } catch (error) {
    if (!isDragomanError(error, 'unknown-session')) throw error
    return onlyOne(given, await beginningWith(house, given), error)
  }
}

function onlyOne(given: string, found: readonly SessionId[], unknown: DragomanError): SessionId {
  const [first, second] = found
  if (first === undefined) throw unknown
  if (second === undefined) return first
  const some = [...found.slice(0, shown), ...(found.length > shown ? ['…'] : [])].join(', ')
  throw new DragomanError('unknown-session', `"${given}" may be ${some}. Give more of the id.`, { found })
}

async function beginningWith({ sessions }: House, beginning: string): Promise<readonly SessionId[]> {
  const found: SessionId[] = []
  for (const archived of [false, true]) {
    let cursor: string | null | undefined
    while (cursor !== null && found.length <= shown) {
      const filter = { query: beginning, archived, limit: page, ...(cursor !== undefined && { cursor }) }
      const { sessions: some, next } = await sessions.list(filter)
      found.push(...some.map(({ session }) => session).filter(session => session.startsWith(beginning)))
      cursor = next
    }
  }
  return found
}
