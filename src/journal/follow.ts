import type { Entry } from '../protocol/entry.ts'
import { DragomanError } from '../protocol/error.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Bell, Journal } from './journal.ts'

/** How a follower reads. */
export interface FollowOptions {
  readonly signal: AbortSignal
  /** The most entries handed over at a time: all that a follower that stops reading can cost. */
  readonly page?: number
  /** A follower that falls further behind than this many entries after catching up is told to come back. */
  readonly maxBehind?: number
}

/** Where entries are, and who rings when there are more. */
export interface Followed {
  readonly journal: Journal
  readonly bell: Bell
}

/** Every entry above `after`, then each new one as it is saved, in order, once, in batches as they come. */
export function follow(
  followed: Followed,
  session: SessionId,
  after: number,
  options: FollowOptions,
): AsyncGenerator<readonly Entry[], void, undefined> {
  const { journal } = followed
  return followWith(
    followed,
    session,
    after,
    options,
    (seq, page) => journal.readHot(session, seq, page) ?? journal.read(session, seq, page),
  )
}

/** The same as JSON texts without the raws, as they go to clients. */
export function followTexts(
  followed: Followed,
  session: SessionId,
  after: number,
  options: FollowOptions,
): AsyncGenerator<readonly string[], void, undefined> {
  const { journal } = followed
  return followWith(
    followed,
    session,
    after,
    options,
    (seq, page) => journal.readHotTexts(session, seq, page) ?? journal.readTexts(session, seq, page),
  )
}

/**
 * The bell is only a hint: entries always come from the journal, so a lost or repeated ring can delay an
 * entry but never drop or repeat one. We listen before the first read, because an entry saved between a
 * read and a later `listen` would otherwise ring unheard.
 */
async function* followWith<Item>(
  { journal, bell }: Followed,
  session: SessionId,
  after: number,
  { signal, page = 256, maxBehind = Number.POSITIVE_INFINITY }: FollowOptions,
  read: (after: number, limit: number) => readonly Item[] | Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[], void, undefined> {
  let seq = after
  let caughtUp = false
  let news = Promise.withResolvers<void>()
  const wake = () => news.resolve()
  const unlisten = bell.listen(session, wake)
  signal.addEventListener('abort', wake, { once: true })

  try {
    refuseCursorAhead(after, await journal.head(session))
    while (!signal.aborted) {
      const found = read(seq, page)
      const items = 'then' in found ? await found : found
      if (items.length > 0) {
        // Numbers have no holes, so counting is knowing.
        seq += items.length
        yield items
        if (caughtUp && maxBehind < Number.POSITIVE_INFINITY)
          refuseTooFarBehind(seq, await journal.head(session), maxBehind)
        continue
      }
      caughtUp = true
      await news.promise
      news = Promise.withResolvers()
    }
  } finally {
    unlisten()
    signal.removeEventListener('abort', wake)
  }
}

function refuseCursorAhead(after: number, head: number) {
  if (after <= head) return
  throw new DragomanError(
    'cursor-ahead',
    `The cursor ${after} is beyond the end of the session, which has ${head} entries. Follow from ${head} or from 0.`,
    { head },
  )
}

function refuseTooFarBehind(seq: number, head: number, maxBehind: number) {
  if (head - seq <= maxBehind) return
  throw new DragomanError(
    'follower-behind',
    `This follower is ${head - seq} entries behind. Follow again from ${seq}.`,
    { after: seq, head },
  )
}
