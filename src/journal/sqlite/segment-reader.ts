import { DragomanError } from '../../protocol/error.ts'
import { asBuffer } from './bytes.ts'
import type { Line } from './line.ts'
import type { Answers } from './reader-messages.ts'
import { countIn, type Unpacked } from './segment.ts'
import type { Reader } from './threads.ts'

/** Reads packed entries, a segment at a time. */
export interface SegmentReader {
  /** The segment with the entry after `after`; without its raws unless they are wanted. */
  read(line: Line, after: number, raws: boolean): Promise<Unpacked>
}

/** A segment that was asked for before anyone needs it. */
interface Ahead {
  readonly after: number
  readonly raws: boolean
  readonly answer: Promise<Answers['segment']>
}

/** Who reads on where the last read of a session ended gets the next segment fetched while this one is worked on. */
export function createSegmentReader(reader: Reader): SegmentReader {
  const ends = new WeakMap<Line, number>()
  const aheads = new WeakMap<Line, Ahead>()
  const ask = ({ no: session }: Line, after: number, raws: boolean) =>
    reader.ask({ type: 'segment', session, after, raws })

  return {
    async read(line, after, raws) {
      const ahead = aheads.get(line)
      const isAhead = ahead?.after === after && ahead.raws === raws
      if (isAhead) aheads.delete(line)
      const segment = await (isAhead ? ahead.answer : ask(line, after, raws))
      if (segment === undefined) throw hole(line, after)
      const unpacked = { ...segment, events: asBuffer(segment.events), raws: asBuffer(segment.raws) }
      const end = unpacked.first + countIn(unpacked) - 1
      const readsOn = ends.get(line) === after
      ends.set(line, end)
      if (readsOn && end < line.packed) {
        const answer = ask(line, end, raws)
        // Whoever comes for it hears of a failure; nobody may come.
        answer.catch(() => undefined)
        aheads.set(line, { after: end, raws, answer })
      }
      return unpacked
    },
  }
}

const hole = ({ session }: Line, after: number) =>
  new DragomanError(
    'session-damaged',
    `Entry ${after + 1} of session ${session} is missing on disk. Run "dragoman verify" for details.`,
  )
