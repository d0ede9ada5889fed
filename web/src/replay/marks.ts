import type { Replay, ReplayMark } from 'dragoman/client/replay'

/** The next mark after an entry, or the last before it. */
export const markBeside = (marks: readonly ReplayMark[], seq: number, way: 1 | -1): ReplayMark | undefined =>
  way === 1 ? marks.find(mark => mark.seq > seq) : marks.findLast(mark => mark.seq < seq)

/** Goes to the marker before or after the current position. */
export function goToMark(replay: Replay, way: 1 | -1): void {
  const { marks, wanted } = replay.state.get()
  const mark = markBeside(marks, wanted, way)
  if (mark === undefined) return
  replay.pause()
  replay.seek(mark.seq)
}

/** How many positions on the track are distinguishable. */
const places = 300

/** A marker on the track, at a position from 0 to 1. */
export interface PlacedMark extends ReplayMark {
  readonly share: number
}

/** The distinguishable markers; of several of one kind at one position, the first. */
export function placeMarks(marks: readonly ReplayMark[], head: number): readonly PlacedMark[] {
  const seen = new Set<string>()
  return marks.flatMap(mark => {
    const share = head === 0 ? 0 : Math.min(1, mark.seq / head)
    const key = `${mark.kind} ${Math.round(share * places)}`
    if (seen.has(key)) return []
    seen.add(key)
    return [{ ...mark, share }]
  })
}
