import type { Client, Readable, Session } from 'dragoman/client'
import { createWritable } from 'dragoman/client/readable'

/** First the conversation, then what only adorns it. */
const patience = 500

/** Data about a session besides its conversation: loaded once, on first use; `nothing` until then. */
export function askedOnce<Value>(
  nothing: Value,
  ask: (client: Client, session: string) => Promise<Value>,
): (client: Client, session: Session) => Readable<Value> {
  const known = new WeakMap<Session, Readable<Value>>()
  return (client, session) => {
    const before = known.get(session)
    if (before !== undefined) return before
    const value = createWritable(nothing)
    known.set(session, value)
    const forget = () => known.delete(session)
    setTimeout(() => {
      // The user deleted the session or left it meanwhile.
      if (/^(gone|closed)$/.test(session.state.get().phase)) return forget()
      // Without an answer it goes without; the next look asks again.
      return ask(client, session.id).then(value.set, forget)
    }, patience)
    return value
  }
}
