import { feed, type Feed, type Taker } from '../../journal/follow.ts'
import type { Received } from '../../protocol/api/api.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { ServerParts } from '../server-parts.ts'
import type { Streamed } from './sink.ts'
import { openTexts, type ReadTexts } from './entry-texts.ts'
import {
  eventStreamHeaders,
  namedFrame,
  openEventStream,
  type EventStream,
  type Writer,
} from './event-stream.ts'
import { eventFrames, firstPage, frameOf, nextPage, type Frame } from './shared-frames.ts'
import type { Sink } from './sink.ts'
import { checkIfGone, goneReason } from './gone-session.ts'

/** What a client follows, from which entry, and in which form. */
interface Following {
  readonly session: SessionId
  readonly after: number
  /** Whether to follow a deleted session, too. */
  readonly deleted: boolean
  /** Null for the shared form. */
  readonly texts: ReadTexts | null
}

/** Follows a session: its entries above a number, then each new one. A client that reconnects sends the number of its last entry. */
export async function openEntriesStream(
  server: ServerParts,
  { params, query }: Received<'listEntries'>,
  lastEventId: string | null,
): Promise<Streamed> {
  const session = params.session as SessionId
  const { deleted = false } = query
  const head = await server.journal.head(session)
  const asked = readCursor(lastEventId) ?? query.after ?? 0
  const isAhead = asked > head
  const after = isAhead ? head : asked
  const result = isAhead ? 'reset' : after > 0 ? 'resumed' : 'start'
  server.metrics.resumes.add({ result })
  const greeting = isAhead ? namedFrame('reset', { head }) : ''
  const isShared = query.raw !== true && query.dialect !== 'v7'
  const texts = isShared ? null : await openTexts(server, session, after, query)
  return {
    headers: eventStreamHeaders,
    endsByClosing: true,
    run: sink => new Follower(server, { session, after, deleted, texts }).start(sink, greeting),
  }
}

/** A value that is not a number does not come from us and is ignored. */
const readCursor = (lastEventId: string | null) =>
  lastEventId !== null && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined

/** A class instead of closures, because there are thousands of them. */
class Follower implements Taker<Frame>, Writer {
  readonly kind = 'sse'
  private readonly server: ServerParts
  private readonly following: Following
  private readonly feeding: Feed
  private events: EventStream | null = null
  private page = firstPage
  /** Whether the history was sent, so that further entries are new. */
  private isLive = false

  constructor(server: ServerParts, following: Following) {
    this.server = server
    this.following = following
    this.feeding = feed<Frame>(server.bell, following.session, following.after, this)
  }

  start(sink: Sink, greeting: string): void {
    this.events = openEventStream(this.server, sink, this)
    if (greeting !== '') this.events.send(greeting)
    this.feeding.more(this.page)
  }

  read(after: number, limit: number): Frame | Promise<Frame> {
    const { session, texts } = this.following
    if (texts === null) return this.server.streams.readEvents(session, after, limit)
    const found = texts(after, limit)
    const make = (read: readonly string[]) => frameOf(read, after, session, eventFrames)
    return 'then' in found ? found.then(make) : make(found)
  }

  take(frame: Frame): number {
    const { session, deleted } = this.following
    this.page = nextPage(frame)
    if (this.isLive) this.server.streams.measureLag(frame)
    if (frame.deletes && !deleted) checkIfGone(this.server, session, error => this.failed(error))
    return this.events?.send(frame.text) === true ? this.page : 0
  }

  caughtUp(): void {
    this.isLive = true
  }

  failed(error: unknown): void {
    this.feeding.stop()
    // The server shuts down: a client that reconnects gets everything.
    if (isDragomanError(error, 'journal-closed')) this.events?.cut()
    else this.events?.close(namedFrame('gone', goneReason(this.server, this.following.session, error)))
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
