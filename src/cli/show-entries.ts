import type { SessionId } from '../protocol/ids.ts'
import type { Desk } from './desk/desk.ts'
import type { EntryView } from './entry-view.ts'

/** What is to be shown of a session. */
export interface Wanted {
  readonly after: number
  readonly view: Pick<EntryView, 'show'>
  /** Whether the view shows native words. */
  readonly raw: boolean
  readonly forever: boolean
}

/** Shows the entries of a session as they come: until nothing runs in it, or for ever. */
export async function showEntries(
  desk: Desk,
  session: SessionId,
  { after, view, raw, forever }: Wanted,
): Promise<void> {
  const end = new AbortController()
  let seq = after
  let last = Number.POSITIVE_INFINITY
  const endWhenIdle = async () => {
    await desk.whenIdle(session, end.signal)
    last = await desk.head(session)
    if (seq >= last) end.abort()
  }
  const waiting = (forever ? Promise.resolve() : endWhenIdle()).then(
    () => null,
    (error: unknown) => {
      end.abort()
      return error
    },
  )
  // Nothing else keeps the process waiting for entries that are yet to come.
  const staying = setInterval(() => {}, 60_000)
  const { signal } = end
  try {
    for await (const entries of desk.follow(session, after, { signal, raw, patient: forever })) {
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
