import type { Entry } from '../protocol/entry.ts'
import { DragomanError } from '../protocol/error.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Bell, Journal, Sleeper } from './journal.ts'

/** How a follower reads. */
export interface FollowOptions {
  readonly signal: AbortSignal
  /** The most entries in a batch. It bounds the memory of a follower that stops reading. */
  readonly page?: number
  /** A follower that falls more entries behind than this, after it had caught up, fails with `follower-behind`. */
  readonly maxBehind?: number
}

/** The journal with the entries, and the bell that rings when there are more. */
export interface Followed {
  readonly journal: Journal
  readonly bell: Bell
}

/** Every entry after `after`, then each new one as it is saved: in order, once, in batches. */
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

/** The same as JSON texts without the raws, ready for clients. */
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
  const sleeper = { wake }
  bell.listen(session, sleeper)
  signal.addEventListener('abort', wake, { once: true })

  try {
    refuseCursorAhead(after, await journal.head(session))
    while (!signal.aborted) {
      const found = read(seq, page)
      const items = 'then' in found ? await found : found
      if (items.length > 0) {
        // Numbers have no gaps, so the count gives the number.
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
    bell.unlisten(session, sleeper)
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

/** Entries that were read together, in any form; none only at the end of the session. */
export interface Batch {
  readonly count: number
}

/** Takes entries as they are saved. */
export interface Taker<Items extends Batch> {
  /** Reads entries after a number, up to a limit; at once if they are in memory. Null: not now, but at the next `more`. */
  read(after: number, limit: number): Items | Promise<Items> | null
  /** Takes a batch, and returns how many entries it wants next; 0: none before `more`. */
  take(items: Items, after: number): number
  /** Called at the end of the session, after each time that entries came. */
  caughtUp(seq: number): void
  /** Called at the end: reading or taking failed. */
  failed(error: unknown): void
}

/** Entries on their way to a taker. */
export interface Feed {
  /** The last entry that was taken. */
  seq(): number
  /** The taker wants this many entries again. */
  more(limit: number): void
  stop(): void
}

/**
 * Hands every entry above `after` to a taker, then each new one as soon as the bell rings, in order, once. It begins
 * with the first `more`. It does for thousands of readers what `follow` does for one: a waiting reader is an object,
 * not a generator with its promises.
 */
export function feed<Items extends Batch>(
  bell: Bell,
  session: SessionId,
  after: number,
  taker: Taker<Items>,
): Feed {
  return new Feeding(bell, session, after, taker)
}

class Feeding<Items extends Batch> implements Feed, Sleeper {
  private readonly bell: Bell
  private readonly session: SessionId
  private readonly taker: Taker<Items>
  private last: number
  private wanted = 0
  private isBusy = false
  private isStopped = false
  /** A ring during a read may be for entries that the read came too early for. */
  private isRung = false

  constructor(bell: Bell, session: SessionId, after: number, taker: Taker<Items>) {
    this.bell = bell
    this.session = session
    this.taker = taker
    this.last = after
    bell.listen(session, this)
  }

  seq(): number {
    return this.last
  }

  more(limit: number): void {
    this.wanted = limit
    this.wake()
  }

  stop(): void {
    this.isStopped = true
    this.bell.unlisten(this.session, this)
  }

  wake(): void {
    this.isRung = true
    if (!this.isBusy && !this.isStopped) this.run()
  }

  private run(items?: Items): void {
    this.isBusy = true
    try {
      let isMore = items === undefined || (!this.isStopped && this.put(items))
      while (isMore && this.wanted > 0 && !this.isStopped) {
        this.isRung = false
        const found = this.taker.read(this.last, this.wanted)
        if (found === null) this.wanted = 0
        else if ('then' in found) return this.await(found)
        else isMore = this.put(found)
      }
    } catch (error) {
      this.fail(error)
    }
    this.isBusy = false
  }

  private await(found: Promise<Items>): void {
    found.then(
      items => this.run(items),
      (error: unknown) => this.fail(error),
    )
  }

  /** Whether there may be more. */
  private put(items: Items): boolean {
    if (items.count > 0) {
      this.last += items.count
      this.wanted = this.taker.take(items, this.last - items.count)
      return true
    }
    if (!this.isRung) this.taker.caughtUp(this.last)
    return this.isRung
  }

  private fail(error: unknown): void {
    if (this.isStopped) return
    this.stop()
    this.taker.failed(error)
  }
}
