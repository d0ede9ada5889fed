import { feed, type Feed, type Taker } from '../../journal/follow.ts'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { ServerParts } from '../server-parts.ts'
import { firstPage, nextPage, type Frame } from '../streams/shared-frames.ts'
import { checkIfGone, goneReason } from '../streams/gone-session.ts'
import { textFrame, type Socket } from './open-socket.ts'

const mostReads = 4

/** The sessions that one socket follows. A class instead of closures, because there are thousands of them. */
export class Follows {
  readonly server: ServerParts
  readonly socket: Socket
  /** A linked list, because nearly every socket follows only a few sessions. */
  private first: Follow | null = null
  private size = 0
  /** Those that wait for the client to read, in order. */
  private hungry: Set<Follow> | null = null
  /** How many pages are being read from disk. They are few, because the client may fall behind meanwhile. */
  private reads = 0

  constructor(server: ServerParts, socket: Socket) {
    this.server = server
    this.socket = socket
  }

  /** Follows a session from an entry on. Following it again starts there. */
  follow(session: SessionId, after: number): void {
    this.unfollow(session)
    if (this.size >= this.server.options.limits.followsPerSocket)
      throw new DragomanError(
        'too-many-connections',
        `This socket already follows ${this.size} sessions, which is the limit. Unfollow some, or open another socket.`,
      )
    const follow = new Follow(this, session, this.first)
    this.first = follow
    this.size += 1
    follow.begin(after).catch((error: unknown) => follow.failed(error))
  }

  unfollow(session: SessionId): void {
    let before: Follow | null = null
    for (let follow = this.first; follow !== null; follow = follow.next) {
      if (follow.session === session) return this.remove(follow, before)
      before = follow
    }
  }

  /** The client reads again. */
  drained(): void {
    for (const follow of this.hungry ?? []) {
      if (this.socket.isBehind()) return
      this.hungry?.delete(follow)
      follow.more()
    }
  }

  stop(): void {
    while (this.first !== null) this.remove(this.first, null)
  }

  /** About how many bytes in the journal were not sent yet. */
  async backlog(): Promise<number> {
    let bytes = 0
    for (let follow = this.first; follow !== null; follow = follow.next) bytes += await follow.backlog()
    return bytes
  }

  /** Reads the next entries of a session. If the client is behind, waits until it reads again. */
  read(follow: Follow, after: number, limit: number): Frame | Promise<Frame> | null {
    if (this.socket.isBehind() || this.reads >= mostReads) {
      this.hungry ??= new Set()
      this.hungry.add(follow)
      return null
    }
    const found = this.server.streams.readSocketFrame(follow.session, after, limit)
    if (!('then' in found)) return found
    this.reads += 1
    return found.finally(() => {
      this.reads -= 1
      // Whether there is room for another page is known only after this one was sent.
      setImmediate(() => this.drained())
    })
  }

  private remove(follow: Follow, before: Follow | null): void {
    follow.stop()
    if (before === null) this.first = follow.next
    else before.next = follow.next
    this.size -= 1
    this.hungry?.delete(follow)
  }
}

/** One session that a socket follows. */
class Follow implements Taker<Frame> {
  readonly session: SessionId
  next: Follow | null
  private readonly all: Follows
  private isWanted = true
  /** Null until the session is found. */
  private feeding: Feed | null = null
  private page = firstPage
  /** The average length of its entries. */
  private entryBytes = 0
  private isCaughtUp = false

  constructor(all: Follows, session: SessionId, next: Follow | null) {
    this.all = all
    this.session = session
    this.next = next
  }

  async begin(after: number): Promise<void> {
    const { all, session } = this
    const { server, socket } = all
    await server.sessions.get(session)
    const head = await server.journal.head(session)
    if (!this.isWanted) return
    const isAhead = after > head
    server.metrics.resumes.add({ result: resultOf(after, isAhead) })
    if (isAhead) socket.send(JSON.stringify({ type: 'reset', session, head }))
    this.feeding = feed<Frame>(server.bell, session, isAhead ? head : after, this)
    this.more()
  }

  more(): void {
    this.feeding?.more(this.page)
  }

  stop(): void {
    this.isWanted = false
    this.feeding?.stop()
  }

  read(after: number, limit: number): Frame | Promise<Frame> | null {
    return this.all.read(this, after, limit)
  }

  take(frame: Frame): number {
    const { server } = this.all
    this.page = nextPage(frame)
    this.entryBytes = frame.text.length / frame.count
    if (this.isCaughtUp) server.streams.measureLag(frame)
    if (frame.deletes) checkIfGone(server, this.session, error => this.failed(error))
    this.all.socket.sendMade((frame.bytes ??= textFrame(frame.text)))
    return this.page
  }

  caughtUp(seq: number): void {
    if (this.isCaughtUp) return
    this.isCaughtUp = true
    this.all.socket.send(`{"type":"caught-up","session":"${this.session}","seq":${seq}}`)
  }

  failed(error: unknown): void {
    const { all, session } = this
    if (!this.isWanted) return
    all.unfollow(session)
    // The server stops and closes the socket. The session still exists.
    if (isDragomanError(error, 'journal-closed')) return
    all.socket.send(JSON.stringify({ type: 'gone', session, ...goneReason(all.server, session, error) }))
  }

  async backlog(): Promise<number> {
    if (this.feeding === null) return 0
    const head = await this.all.server.journal.head(this.session)
    return (head - this.feeding.seq()) * this.entryBytes
  }
}

/** How a follower started, for metrics. */
const resultOf = (after: number, isAhead: boolean) => {
  if (isAhead) return 'reset'
  return after > 0 ? 'resumed' : 'start'
}
