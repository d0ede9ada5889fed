import { feed, type Feed, type Taker } from '../../journal/follow.ts'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { House } from '../house.ts'
import { firstPage, nextPage, type Frame } from '../streams/shared-frames.ts'
import { lookIfGone, tellGone } from '../streams/tell-gone.ts'
import type { Socket } from './open-socket.ts'
import { textFrame } from './text-frame.ts'

const mostReads = 4

/** The sessions that one socket follows. An object rather than functions, for there are thousands of them. */
export class Follows {
  readonly house: House
  readonly socket: Socket
  /** A chain, because nearly every socket follows one session, or a few. */
  private first: Follow | null = null
  private size = 0
  /** Those that would read on if the reader did, in the order in which they had to wait. */
  private hungry: Set<Follow> | null = null
  /** How many pages are being read from disk. Each may come when the reader has fallen behind, so they are few. */
  private reads = 0

  constructor(house: House, socket: Socket) {
    this.house = house
    this.socket = socket
  }

  /** Follows from an entry on; asked again, anew from there. */
  follow(session: SessionId, after: number): void {
    this.unfollow(session)
    if (this.size >= this.house.options.limits.followsPerSocket)
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

  /** The reader reads again. */
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

  /** About how many bytes wait in the journal for the reader. */
  async backlog(): Promise<number> {
    let bytes = 0
    for (let follow = this.first; follow !== null; follow = follow.next) bytes += await follow.backlog()
    return bytes
  }

  /** Reads for one of them, unless the reader is behind: then it waits until it is asked for more. */
  read(follow: Follow, after: number, limit: number): Frame | Promise<Frame> | null {
    if (this.socket.isBehind() || this.reads >= mostReads) {
      this.hungry ??= new Set()
      this.hungry.add(follow)
      return null
    }
    const found = this.house.streams.readSocketFrame(follow.session, after, limit)
    if (!('then' in found)) return found
    this.reads += 1
    return found.finally(() => {
      this.reads -= 1
      // Only after this page was taken is it known whether there is room for another.
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

/** One session on its way over a socket. */
class Follow implements Taker<Frame> {
  readonly session: SessionId
  next: Follow | null
  private readonly all: Follows
  private isWanted = true
  /** Null until the session is found. */
  private feeding: Feed | null = null
  private page = firstPage
  /** About how long its entries are. */
  private entryBytes = 0
  private isCaughtUp = false

  constructor(all: Follows, session: SessionId, next: Follow | null) {
    this.all = all
    this.session = session
    this.next = next
  }

  async begin(after: number): Promise<void> {
    const { all, session } = this
    const { house, socket } = all
    await house.sessions.get(session)
    const head = await house.journal.head(session)
    if (!this.isWanted) return
    const isAhead = after > head
    house.metrics.resumes.add({ result: resultOf(after, isAhead) })
    if (isAhead) socket.send(JSON.stringify({ type: 'reset', session, head }))
    this.feeding = feed<Frame>(house.bell, session, isAhead ? head : after, this)
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
    const { house } = this.all
    this.page = nextPage(frame)
    this.entryBytes = frame.text.length / frame.count
    if (this.isCaughtUp) house.metrics.emitted(frame.text, house.now())
    if (frame.deletes) lookIfGone(house, this.session, error => this.failed(error))
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
    // The server ends, and will close the socket: the session is not gone.
    if (isDragomanError(error, 'journal-closed')) return
    all.socket.send(JSON.stringify({ type: 'gone', session, ...tellGone(all.house, session, error) }))
  }

  async backlog(): Promise<number> {
    if (this.feeding === null) return 0
    const head = await this.all.house.journal.head(this.session)
    return (head - this.feeding.seq()) * this.entryBytes
  }
}

/** How a follower started, for metrics. */
const resultOf = (after: number, isAhead: boolean) => {
  if (isAhead) return 'reset'
  return after > 0 ? 'resumed' : 'start'
}
