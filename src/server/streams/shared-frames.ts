import type { Batch } from '../../journal/follow.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { ColdPages } from './cold-pages.ts'

/** Entries that follow each other, as one text for the wire. */
export interface Frame extends Batch {
  readonly text: string
  /** Whether one of them records that the session was deleted. */
  readonly deletes: boolean
  /** The same as bytes, created on demand. */
  bytes: Buffer | null
}

/** Makes one text of the JSON of entries that come after a number. */
export type Wrap = (texts: readonly string[], after: number, session: SessionId) => string

/** Reads entries of a session above a number, as one text. */
export type ReadFrame = (session: SessionId, after: number, limit: number) => Frame | Promise<Frame>

/** Makes a frame of entries, or of the first of them where all would be too long: a client that does not read holds one frame. */
export function frameOf(read: readonly string[], after: number, session: SessionId, wrap: Wrap): Frame {
  if (read.length === 0) return nothing
  const texts = read.slice(0, countWithin(read))
  const text = wrap(texts, after, session)
  // Nothing is parsed but what looks like it: an agent's own JSON may contain the same text.
  const deletes = text.includes(deletion) && texts.some(isDeletion)
  return { count: texts.length, text, deletes, bytes: null }
}

/** How many entries make a frame that is long enough; one at least. */
function countWithin(texts: readonly string[]): number {
  let length = 0
  for (const [index, text] of texts.entries()) {
    length += text.length
    if (length >= longFrame) return index + 1
  }
  return texts.length
}

const longFrame = 128 << 10
const nothing: Frame = { count: 0, text: '', deletes: false, bytes: null }
const deletion = '"event":{"type":"session-deleted"'

const isDeletion = (text: string) => (JSON.parse(text) as Entry).event.type === 'session-deleted'

/**
 * Makes a frame once for all who want it: the bell wakes the followers of a session one after the other, so the frame
 * that was made last is nearly always the one.
 */
export function createSharedFrames(journal: Journal, pages: ColdPages, wrap: Wrap): ReadFrame {
  let last: { readonly session: SessionId; readonly after: number; readonly frame: Frame } | null = null

  const make = (session: SessionId, after: number, texts: readonly string[]): Frame => {
    const frame = frameOf(texts, after, session, wrap)
    if (frame.count > 0) last = { session, after, frame }
    return frame
  }
  return (session, after, limit) => {
    if (last?.after === after && last.session === session && last.frame.count <= limit) return last.frame
    const texts = journal.readHotTexts(session, after, limit) ?? pages.find(session, after, limit)
    if (texts !== undefined) return make(session, after, texts)
    return pages.read(session, after, limit).then(read => make(session, after, read))
  }
}

/** How many entries a follower asks for first, and at most. */
export const firstPage = 16
const mostPage = 256
const pageCharacters = 64 << 10

/** How many entries to ask for next, so that a page is neither long, nor short where entries are small. */
export const nextPage = ({ count, text }: Frame): number =>
  Math.max(1, Math.min(mostPage, Math.floor((pageCharacters * count) / text.length)))
