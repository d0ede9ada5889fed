import { DragomanError } from '../../protocol/error.ts'
import { asBuffer } from '../format/bytes.ts'
import type { SessionTail } from './session-tails.ts'
import type { Answers } from './reader-messages.ts'
import { countIn, type Unpacked } from '../format/segment.ts'
import type { Reader } from './threads.ts'

/** Reads packed entries, a segment at a time. */
export interface SegmentReader {
  /** The segment with the entry after `after`; without its raws unless they are wanted. */
  read(tail: SessionTail, after: number, raws: boolean): Promise<Unpacked>
}

/** A segment that is read ahead. */
interface Ahead {
  readonly after: number
  readonly raws: boolean
  readonly answer: Promise<Answers['segment']>
}

/** Reads ahead: if a read continues where the last one ended, the next segment is fetched meanwhile. */
export function createSegmentReader(reader: Reader): SegmentReader {
  const ends = new WeakMap<SessionTail, number>()
  const aheads = new WeakMap<SessionTail, Ahead>()
  const ask = ({ no: session }: SessionTail, after: number, raws: boolean) =>
    reader.ask({ type: 'segment', session, after, raws })

  return {
    async read(tail, after, raws) {
      const ahead = aheads.get(tail)
      const isAhead = ahead?.after === after && ahead.raws === raws
      if (isAhead) aheads.delete(tail)
      const segment = await (isAhead ? ahead.answer : ask(tail, after, raws))
      if (segment === undefined) throw hole(tail, after)
      const unpacked = { ...segment, events: asBuffer(segment.events), raws: asBuffer(segment.raws) }
      const end = unpacked.first + countIn(unpacked) - 1
      const readsOn = ends.get(tail) === after
      ends.set(tail, end)
      if (readsOn && end < tail.packed) {
        const answer = ask(tail, end, raws)
        // A read that uses it gets the failure; there may be none.
        answer.catch(() => undefined)
        aheads.set(tail, { after: end, raws, answer })
      }
      return unpacked
    },
  }
}

const hole = ({ session }: SessionTail, after: number) =>
  new DragomanError(
    'session-damaged',
    `Entry ${after + 1} of session ${session} is missing on disk. Run "dragoman verify" for details.`,
  )
