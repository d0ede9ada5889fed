import type { Journal } from '../journal/journal.ts'
import { DragomanError, errorMessage } from '../protocol/error.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { CallThread } from './threads/call-thread.ts'
import { within } from './within.ts'
import { IndexProgress } from './index-progress.ts'
import type { IndexCalls, Unreadable } from './threads/messages.ts'

/** What indexing needs. */
export interface IndexerOptions {
  readonly thread: CallThread<IndexCalls>
  readonly journal: Journal
  readonly sessions: () => AsyncIterable<{ readonly session: SessionId; readonly seq: number }>
  /** Sessions that may have more entries than `sessions` knows of. */
  readonly recent?: readonly SessionId[]
  readonly now: () => number
  readonly onTrouble?: (error: DragomanError) => void
}

/** Hands entries to the thread that writes the index. */
export interface Indexer extends AsyncDisposable {
  start(): void
  readonly notice: (session: SessionId) => void
  behind(): Promise<number>
  /** The index cannot be read: it is made again, but not over and over. */
  renew(why: Unreadable): Promise<void>
  isBusy(): boolean
  settle(atMostMs: number): Promise<void>
}

/** New entries are indexed together after this time. */
const restMs = 800
/** While there is more to index, what was indexed is saved this often: with new entries, and without. */
const newsMs = 500
const backlogMs = 3000
/** How often to look whether the index was deleted. */
const checkMs = 1000
/** After a failure, the index is read again. */
const retryMs = 5000
/** To find out what is behind takes a moment at the start. */
const knownMs = 2000
const page = 512
/** No more characters than that are handed over at once, but at least one entry: a long copy delays everything else. */
const mostCharacters = 256 * 1024

/** Reads what is new in each session and hands it on, in small slices. New entries come before old ones. */
export function createIndexer(options: IndexerOptions): Indexer {
  return new Indexing(options)
}

class Indexing implements Indexer {
  private readonly options: IndexerOptions
  private readonly progress = new IndexProgress()
  /** Sessions with new entries, and those that are behind since the start. */
  private readonly news = new Set<SessionId>()
  private backlog: SessionId[] = []
  /** The session whose next entries are being handed on. It is in neither list meanwhile. */
  private inHand: SessionId | null = null
  private isStarted = false
  private isOver = false
  private isUnsaved = false
  private isKnown = false
  /** Whether the file was deleted, and a new one is empty. */
  private isLost = false
  private known = Promise.withResolvers<void>()
  private renewedAt = -Infinity
  /** After a failure, nothing happens for a while. */
  private isFailing = false
  private savedAt = 0
  private wakeUp = Promise.withResolvers<void>()
  private hurry = Promise.withResolvers<void>()
  private settled = Promise.withResolvers<void>()
  private readonly ended = Promise.withResolvers<void>()
  private working: Promise<void> = Promise.resolve()
  private checking: NodeJS.Timeout | undefined

  constructor(options: IndexerOptions) {
    this.options = options
  }

  start(): void {
    if (this.isStarted || this.isOver) return
    this.isStarted = true
    for (const session of this.options.recent ?? []) this.news.add(session)
    this.working = this.work()
    this.checking = setInterval(() => void this.check(), checkMs).unref()
  }

  readonly notice = (session: SessionId): void => {
    if (!this.isStarted) return
    this.news.add(session)
    this.wakeUp.resolve()
  }

  async behind(): Promise<number> {
    if (this.isStarted && !this.isFailing) await within(knownMs, this.known.promise)
    for (const session of this.news) await this.noteHead(session)
    return this.progress.behind()
  }

  async settle(atMostMs: number): Promise<void> {
    if (!this.isBusy()) return
    this.hurry.resolve()
    this.wakeUp.resolve()
    await within(atMostMs, this.settled.promise)
  }

  isBusy(): boolean {
    if (this.isFailing) return false
    const isWaiting = this.inHand !== null || this.news.size > 0 || this.backlog.length > 0
    return !this.isKnown || this.isUnsaved || isWaiting
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isOver = true
    clearInterval(this.checking)
    this.wakeUp.resolve()
    this.hurry.resolve()
    this.settled.resolve()
    this.ended.resolve()
    await this.working
    await this.options.thread[Symbol.asyncDispose]()
  }

  private async work(): Promise<void> {
    while (!this.isOver)
      try {
        if (!this.isKnown) await this.compareAll()
        this.isFailing = false
        await this.workOnce()
      } catch (error) {
        if (this.isOver) return
        // What failed was for the index that is gone.
        if (this.isLost) continue
        this.options.onTrouble?.(failed(error))
        this.isKnown = false
        this.isFailing = true
        this.settled.resolve()
        await this.pause(retryMs, this.ended.promise)
      }
  }

  /** Hands on all that is new, saves it, and waits for more. */
  private async workOnce(): Promise<void> {
    const { now } = this.options
    while (!this.isOver && this.isKnown) {
      this.inHand = this.next()
      if (this.inHand === null) break
      const isDone = await this.handOn(this.inHand)
      if (!isDone) this.backlog.push(this.inHand)
      this.inHand = null
      const sinceSaved = now() - this.savedAt
      if (this.isUnsaved && sinceSaved > (this.news.size > 0 ? newsMs : backlogMs)) await this.save()
    }
    if (this.isOver || !this.isKnown) return
    if (this.isUnsaved) await this.save()
    if (this.news.size > 0) return
    this.settled.resolve()
    this.settled = Promise.withResolvers()
    await this.wakeUp.promise
    this.wakeUp = Promise.withResolvers()
    await this.pause(restMs)
  }

  private next(): SessionId | null {
    const [session] = this.news
    if (session === undefined) return this.backlog.pop() ?? null
    this.news.delete(session)
    return session
  }

  /** A slice of a session; true at its end. A damaged session does not keep the others from being indexed. */
  private async handOn(session: SessionId): Promise<boolean> {
    const { thread } = this.options
    const after = this.progress.takenOf(session)
    const texts = await this.readAfter(session, after).catch(() => null)
    if (texts === null) this.progress.forget(session)
    if (texts === null || texts.length === 0) return true
    const { seq, saved } = await thread.call('add', { session, texts })
    this.progress.take(session, seq)
    this.isUnsaved = true
    this.progress.save(saved)
    if (seq < after + texts.length) throw new Error(`The index of session ${session} is at ${seq}.`)
    return false
  }

  private async readAfter(session: SessionId, after: number): Promise<readonly string[]> {
    const { journal } = this.options
    await this.noteHead(session)
    return shortened(
      journal.readHotTexts(session, after, page) ?? (await journal.readTexts(session, after, page)),
    )
  }

  /** The number of the last entry; 0 for a session that is gone or damaged. */
  private async noteHead(session: SessionId): Promise<number> {
    const head = await this.options.journal.head(session).catch(() => 0)
    this.progress.wants(session, head)
    return head
  }

  private async save(): Promise<void> {
    this.progress.save(await this.options.thread.call('commit', null))
    this.isUnsaved = false
    this.savedAt = this.options.now()
  }

  /** Finds the sessions that are behind. Those that no longer exist are removed from the index. */
  private async compareAll(): Promise<void> {
    const { thread, sessions } = this.options
    const { progress } = this
    this.backlog = []
    this.inHand = null
    this.isUnsaved = false
    this.isLost = false
    const before = progress.sessions()
    progress.restart(await thread.call('restart', null))
    const unseen = new Set([...before, ...progress.sessions()])
    const behind: SessionId[] = []
    for await (const { session, seq } of sessions()) {
      unseen.delete(session)
      const taken = progress.takenOf(session)
      if (taken > seq && taken > (await this.noteHead(session))) await this.forget(session)
      if (progress.takenOf(session) === seq) continue
      progress.wants(session, seq)
      behind.push(session)
    }
    for (const session of unseen) {
      const head = await this.noteHead(session)
      if (head === 0) await this.forget(session)
      else if (head > progress.takenOf(session)) behind.push(session)
    }
    this.backlog = behind.toReversed()
    this.isKnown = true
    this.known.resolve()
  }

  private async forget(session: SessionId): Promise<void> {
    this.progress.forget(session)
    await this.options.thread.call('forget', session)
  }

  /** A deleted index is made again. */
  private async check(): Promise<void> {
    try {
      if (!(await this.options.thread.call('check', null))) this.beginAgain()
    } catch {
      // The next call of the work reports it.
    }
  }

  async renew(why: Unreadable): Promise<void> {
    if (why === 'missing') return this.check()
    const { now, thread } = this.options
    if (now() - this.renewedAt < retryMs) return
    this.renewedAt = now()
    await thread.call('remake', null)
    this.beginAgain()
  }

  private beginAgain(): void {
    this.isKnown = false
    this.known = Promise.withResolvers()
    this.isLost = true
    this.hurry.resolve()
    this.wakeUp.resolve()
  }

  /** Waits for a time, or until a search waits for what is new. */
  private async pause(milliseconds: number, until = this.hurry.promise): Promise<void> {
    await within(milliseconds, until, true)
    this.hurry = Promise.withResolvers()
  }
}

const failed = (error: unknown) =>
  new DragomanError(
    'save-failed',
    `The search index could not be updated: ${errorMessage(error)} It will be retried.`,
    {
      cause: error,
    },
  )

function shortened(texts: readonly string[]): readonly string[] {
  let characters = 0
  const end = texts.findIndex(({ length }) => (characters += length) > mostCharacters)
  return end < 0 ? texts : texts.slice(0, Math.max(1, end))
}
