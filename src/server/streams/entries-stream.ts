import { feed, type Feed, type Taker } from '../../journal/follow.ts'
import type { Received } from '../../protocol/api/api.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { House } from '../house.ts'
import type { Streamed } from '../streamed.ts'
import { openTexts, type ReadTexts } from './entry-texts.ts'
import {
  eventStreamHeaders,
  namedFrame,
  openEventStream,
  type EventStream,
  type Writer,
} from './event-stream.ts'
import { firstPage, frameOf, nextPage, type Frame } from './shared-frames.ts'
import type { Sink } from './sink.ts'
import { lookIfGone, tellGone } from './tell-gone.ts'
import { eventFrames } from './wraps.ts'

/** What is followed, from where, and in which form. */
interface Following {
  readonly session: SessionId
  readonly after: number
  /** Whether it is followed although it is deleted. */
  readonly deleted: boolean
  /** Null for the shared form. */
  readonly texts: ReadTexts | null
}

/** Follows a session: its entries above a number, then each new one. A client that reconnects sends the number of its last entry. */
export async function openEntriesStream(
  house: House,
  { params, query }: Received<'listEntries'>,
  lastEventId: string | null,
): Promise<Streamed> {
  const session = params.session as SessionId
  const { deleted = false } = query
  const head = await house.journal.head(session)
  const asked = readCursor(lastEventId) ?? query.after ?? 0
  const isAhead = asked > head
  const after = isAhead ? head : asked
  const result = isAhead ? 'reset' : after > 0 ? 'resumed' : 'start'
  house.metrics.resumes.add({ result })
  const greeting = isAhead ? namedFrame('reset', { head }) : ''
  const isShared = query.raw !== true && query.dialect !== 'v7'
  const texts = isShared ? null : await openTexts(house, session, after, query)
  return {
    headers: eventStreamHeaders,
    endsByClosing: true,
    run: sink => new Follower(house, { session, after, deleted, texts }).start(sink, greeting),
  }
}

/** A value that is not a number is not from us, and is ignored. */
const readCursor = (lastEventId: string | null) =>
  lastEventId !== null && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined

/** An object rather than functions, for there are thousands of them. */
class Follower implements Taker<Frame>, Writer {
  readonly kind = 'sse'
  private readonly house: House
  private readonly following: Following
  private readonly feeding: Feed
  private events: EventStream | null = null
  private page = firstPage
  /** Whether all that there was has been sent, so that what comes is new. */
  private isLive = false

  constructor(house: House, following: Following) {
    this.house = house
    this.following = following
    this.feeding = feed<Frame>(house.bell, following.session, following.after, this)
  }

  start(sink: Sink, greeting: string): void {
    this.events = openEventStream(this.house, sink, this)
    if (greeting !== '') this.events.send(greeting)
    this.feeding.more(this.page)
  }

  read(after: number, limit: number): Frame | Promise<Frame> {
    const { session, texts } = this.following
    if (texts === null) return this.house.streams.readEvents(session, after, limit)
    const found = texts(after, limit)
    const make = (read: readonly string[]) => frameOf(read, after, session, eventFrames)
    return 'then' in found ? found.then(make) : make(found)
  }

  take(frame: Frame): number {
    const { session, deleted } = this.following
    const { metrics, now } = this.house
    this.page = nextPage(frame)
    if (this.isLive) metrics.emitted(frame.text, now())
    if (frame.deletes && !deleted) lookIfGone(this.house, session, error => this.failed(error))
    return this.events?.send(frame.text) === true ? this.page : 0
  }

  caughtUp(): void {
    this.isLive = true
  }

  failed(error: unknown): void {
    this.feeding.stop()
    // The server shuts down: a client that reconnects gets everything.
    if (isDragomanError(error, 'journal-closed')) this.events?.cut()
    else this.events?.close(namedFrame('gone', tellGone(this.house, this.following.session, error)))
  }

  drained(): void {
    this.feeding.more(this.page)
  }

  gone(): void {
    this.feeding.stop()
  }

  farewell(): string {
    this.feeding.stop()
    return namedFrame('draining', { after: this.feeding.seq() })
  }
}
