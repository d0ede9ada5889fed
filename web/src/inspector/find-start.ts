import type { Caller, Session } from 'dragoman/client'
import type { InspectTarget } from './target.ts'

type Call = Pick<Caller, 'call'>

/** The entry at which the search starts; null when the session has no such entry. */
export async function findStart(
  client: Call,
  session: Session,
  target: InspectTarget,
): Promise<number | null> {
  if ('seq' in target) return target.seq
  if ('toolCall' in target) {
    const seq = await startOfCall(client, session.id, target.message, target.toolCall)
    if (seq !== null) return seq
  }
  return seenHere(session, target.message) ?? startOfInteraction(client, session.id, target.message)
}

async function startOfCall(
  client: Call,
  session: string,
  message: string,
  call: string,
): Promise<number | null> {
  const query = { message, limit: '1000' }
  const { entries } = await client.call('GET /api/sessions/:session/work-log', { params: { session }, query })
  return entries.find(({ toolCallId }) => toolCallId === call)?.seqs[0] ?? null
}

/** For followed messages the client knows where they started. */
function seenHere(session: Session, message: string): number | null {
  for (const thread of session.state.get().view.messages.values()) {
    const found = thread.find(shown => shown.message.id === message)
    if (found) return found.firstSeq
  }
  return null
}

/** Of older ones the server knows the interaction, page by page from the newest. */
async function startOfInteraction(client: Call, session: string, message: string): Promise<number | null> {
  let before: string | undefined
  do {
    const query = { limit: '500', ...(before !== undefined && { before }) }
    const { interactions, next } = await client.call('GET /api/sessions/:session/interactions', {
      params: { session },
      query,
    })
    const found = interactions.find(({ messages }) => messages.some(({ id }) => id === message))
    if (found) return found.start.seq
    before = next === null ? undefined : String(next)
  } while (before !== undefined)
  return null
}
