import type { SessionId } from '../protocol/ids.ts'
import type { SessionsApi } from './sessions-api/sessions-api.ts'
import type { EntryView } from './entry-view.ts'

/** Which entries of a session to show, and how. */
export interface Wanted {
  readonly after: number
  readonly view: Pick<EntryView, 'show'>
  /** Whether the view shows native lines. */
  readonly raw: boolean
  readonly forever: boolean
}

/** Shows the entries of a session as they come: until nothing runs in it, or without end. */
export async function showEntries(
  api: SessionsApi,
  session: SessionId,
  { after, view, raw, forever }: Wanted,
): Promise<void> {
  const end = new AbortController()
  let seq = after
  let last = Number.POSITIVE_INFINITY
  const endWhenIdle = async () => {
    await api.whenIdle(session, end.signal)
    last = await api.head(session)
    if (seq >= last) end.abort()
  }
  const waiting = (forever ? Promise.resolve() : endWhenIdle()).then(
    () => null,
    (error: unknown) => {
      end.abort()
      return error
    },
  )
  // Keeps the process alive while it waits for new entries.
  const staying = setInterval(() => {}, 60_000)
  const { signal } = end
  try {
    for await (const entries of api.follow(session, after, { signal, raw, patient: forever })) {
      for (const entry of entries) await view.show(entry)
      seq = entries.at(-1)?.seq ?? seq
      if (seq >= last) break
    }
  } finally {
    clearInterval(staying)
    end.abort()
  }
  const failure = await waiting
  if (failure !== null) throw failure
}
