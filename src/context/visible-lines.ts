import { isNextLine, sameLine, type Lines } from './lines.ts'

/** How many lines in a row must be the same for a reference. */
export const leastLines = 6

/** Lines that are visible already. */
export interface Match {
  readonly source: string
  readonly sourceFrom: number
  readonly lines: number
}

interface Source {
  readonly id: string
  readonly lines: Lines
  readonly visible: Uint8Array
}

/**
 * Knows every run of lines that a model can see, by hash, so that a new text is compared with all of them in one pass.
 * Of several places the newest is found, whatever the order in which they were shown.
 */
export interface VisibleLines {
  /** Some lines of a part are visible from now on; `order` is the part's place in the history. */
  show(order: number, part: string, lines: Lines, from: number, count: number): void
  /** Nothing of a part is visible any more. */
  hide(part: string): void
  /** The visible lines that are the same as those that begin here. */
  find(lines: Lines, from: number): Match | null
}

const placesPerSource = 2 ** 24

/** Begins with nothing visible. */
export function createVisibleLines(): VisibleLines {
  const sources = new Map<number, Source>()
  const orders = new Map<string, number>()
  const runs = new Map<number, number | number[]>()
  return {
    show(order, id, lines, from, count) {
      if (count < leastLines) return
      let source = sources.get(order)
      if (source === undefined) {
        source = { id, lines, visible: new Uint8Array(lines.count) }
        sources.set(order, source)
        orders.set(id, order)
      }
      source.visible.fill(1, from, from + count)
      for (let line = from; line + leastLines <= from + count; line += 1)
        note(runs, hashOfRun(lines, line), order * placesPerSource + line)
    },
    hide(id) {
      const order = orders.get(id)
      if (order !== undefined) sources.get(order)?.visible.fill(0)
    },
    find(lines, from) {
      if (from + leastLines > lines.count) return null
      const places = runs.get(hashOfRun(lines, from))
      if (places === undefined) return null
      return typeof places === 'number'
        ? matchAt(sources, places, lines, from)
        : newestMatch(sources, places, lines, from)
    },
  }
}

/** Keeps the places of a run in order. */
function note(runs: Map<number, number | number[]>, hash: number, place: number): void {
  const known = runs.get(hash)
  if (known === undefined) runs.set(hash, place)
  else if (typeof known === 'number') {
    if (known !== place) runs.set(hash, known < place ? [known, place] : [place, known])
  } else insert(known, place)
}

function insert(places: number[], place: number): void {
  let at = places.length
  while (at > 0 && (places[at - 1] ?? 0) > place) at -= 1
  if (places[at - 1] !== place) places.splice(at, 0, place)
}

function newestMatch(
  sources: ReadonlyMap<number, Source>,
  places: readonly number[],
  lines: Lines,
  from: number,
): Match | null {
  for (let at = places.length - 1; at >= 0; at -= 1) {
    const match = matchAt(sources, places[at] ?? 0, lines, from)
    if (match !== null) return match
  }
  return null
}

function matchAt(
  sources: ReadonlyMap<number, Source>,
  place: number,
  lines: Lines,
  from: number,
): Match | null {
  const source = sources.get(Math.floor(place / placesPerSource))
  return source === undefined ? null : extend(source, place % placesPerSource, lines, from)
}

function hashOfRun({ hash }: Lines, from: number): number {
  let sum = 0
  for (let line = from; line < from + leastLines; line += 1)
    sum = (Math.imul(sum, 0x01000193) + (hash[line] ?? 0)) | 0
  return sum
}

function extend(source: Source, sourceFrom: number, lines: Lines, from: number): Match | null {
  let count = 0
  while (from + count < lines.count && sourceFrom + count < source.lines.count) {
    const ours = from + count
    const theirs = sourceFrom + count
    if (source.visible[theirs] !== 1 || !sameLine(source.lines, theirs, lines, ours)) break
    if (count > 0 && !(isNextLine(lines, ours) && isNextLine(source.lines, theirs))) break
    count += 1
  }
  return count < leastLines ? null : { source: source.id, sourceFrom, lines: count }
}
