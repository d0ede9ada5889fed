import type { Batch } from '../../journal/follow.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { ColdPages } from './cold-pages.ts'

/** Consecutive entries as one text to send. */
export interface Frame extends Batch {
  readonly text: string
  /** Whether one of them records that the session was deleted. */
  readonly deletes: boolean
  /** The same as bytes, created on demand. */
  bytes: Buffer | null
}

/** Joins the JSON of the entries after a number to one text. */
export type Wrap = (texts: readonly string[], after: number, session: SessionId) => string

/** Entries as server-sent events. The id of each is its number. */
export const eventFrames: Wrap = (texts, after) => {
  let frames = ''
  let seq = after
  for (const text of texts) frames += `id: ${++seq}\ndata: ${text}\n\n`
  return frames
}

/** Entries as one frame of a WebSocket. A session id has no character that JSON would escape. */
export const socketFrame: Wrap = (texts, _, session) =>
  `{"type":"entries","session":"${session}","entries":[${texts.join(',')}]}`

/** Reads entries of a session above a number, as one text. */
export type ReadFrame = (session: SessionId, after: number, limit: number) => Frame | Promise<Frame>

/** Makes a frame of entries, or of the first of them if all would be too long: a client that does not read keeps one frame in memory. */
export function frameOf(read: readonly string[], after: number, session: SessionId, wrap: Wrap): Frame {
  if (read.length === 0) return nothing
  const texts = read.slice(0, countWithin(read))
  const text = wrap(texts, after, session)
  // Only an entry that may be the deletion is parsed: an agent's own JSON may contain the same text.
  const deletes = text.includes(deletion) && texts.some(isDeletion)
  return { count: texts.length, text, deletes, bytes: null }
}

/** How many entries make a frame that is long enough: at least one. */
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

/** Makes each frame once for all followers: the bell wakes them one after the other, so nearly all need the frame made last. */
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

/** Measuring every frame would cost too much, so one of this many is measured. */
const framesPerSample = 16

/** Records how old the first entry of a frame is when it is sent: the time from the agent's output, through saving. */
export function createLagMeter({ emitLag }: Metrics, now: () => number): (frame: Frame) => void {
  let frames = 0
  return ({ text }) => {
    if (frames++ % framesPerSample !== 0) return
    const [, at] = /"at":(\d+)/.exec(text) ?? []
    if (at !== undefined) emitLag.observe(Math.max(0, now() - Number(at)) / 1000)
  }
}

/** How many entries a follower asks for first, and at most. */
export const firstPage = 16
const mostPage = 256
const pageCharacters = 64 << 10

/** How many entries to ask for next: few if they are long, many if they are short. */
export const nextPage = ({ count, text }: Frame): number =>
  Math.max(1, Math.min(mostPage, Math.floor((pageCharacters * count) / text.length)))
