import type { Entry } from '../../protocol/entry.ts'
import type { Connection, SessionFrame } from './connection.ts'

/** Receives each entry once and in order, whatever happens to the connection. */
export interface EntryReader {
  /** The next entries, without a hole. */
  entries(entries: readonly Entry[]): void
  /** The reader has all there is, or gets it as it comes. */
  caughtUp?(): void
  /** The journal is another than the one that was followed: whatever was read must be read again. */
  reset(head: number): void
  /** The session is no longer there; nothing more comes. */
  gone(reason: string): void
}

/** A session being followed. */
export interface Following {
  /** The last entry that was handed on. */
  seq(): number
  stop(): void
}

interface Place {
  seq: number
  /** The id of that entry, once it came: a journal that has another in its place is another journal. */
  id: string | null
  /** Where it was when the server was last asked. */
  asked: number
  over: boolean
}

/** Follows a session from a number on: what comes twice is dropped, and what is missing is asked for again. */
export function followSession(
  connection: Connection,
  session: string,
  after: number,
  reader: EntryReader,
): Following {
  const place: Place = { seq: after, id: null, asked: after, over: false }
  const stop = () => {
    place.over = true
    leave()
  }
  const leave = connection.follow(session, {
    after(recheck) {
      place.asked = place.seq
      // One entry more than needed shows whether it is still the same journal.
      return recheck ? place.seq : Math.max(0, place.seq - 1)
    },
    take: frame => (place.over ? 'nothing' : take(place, reader, frame, stop)),
  })
  return { seq: () => place.seq, stop }
}

type Outcome = 'progress' | 'hole' | 'nothing'

function take(place: Place, reader: EntryReader, frame: SessionFrame, stop: () => void): Outcome {
  const head = otherHead(place, frame)
  if (head !== null) {
    stop()
    reader.reset(head)
  } else if (frame.type === 'gone') {
    stop()
    reader.gone(frame.reason)
  } else if (frame.type === 'caught-up') {
    if (frame.seq > place.seq) return 'hole'
    reader.caughtUp?.()
  } else if (frame.type === 'following') {
    reader.caughtUp?.()
  } else if (frame.type === 'entries') {
    return takeEntries(place, reader, frame.entries)
  }
  return 'progress'
}

/** Where the journal ends, when a frame shows that it is not the one that was read so far. */
function otherHead(place: Place, frame: SessionFrame): number | null {
  if (frame.type === 'reset') return frame.head
  if (frame.type === 'caught-up') return frame.seq < place.asked ? frame.seq : null
  if (frame.type !== 'entries' || place.id === null) return null
  return frame.entries.some(({ seq, id }) => seq === place.seq && id !== place.id) ? place.seq : null
}

function takeEntries(place: Place, reader: EntryReader, entries: readonly Entry[]): Outcome {
  const fresh: Entry[] = []
  let hole = false
  for (const entry of entries) {
    if (entry.seq === place.seq) place.id = entry.id
    if (entry.seq <= place.seq) continue
    hole = entry.seq > place.seq + 1
    if (hole) break
    place.seq = entry.seq
    place.id = entry.id
    fresh.push(entry)
  }
  if (fresh.length > 0) reader.entries(fresh)
  if (hole) return 'hole'
  return fresh.length > 0 ? 'progress' : 'nothing'
}
