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
  /** The visible lines of a part, so that they can be removed again. */
  readonly shown: Range[]
}

interface Range {
  readonly from: number
  readonly count: number
}

/**
 * Holds every run of visible lines by hash, so that a new text is compared with all of them in one pass.
 * Of several places it finds the newest, whatever the order in which they were added.
 */
export interface VisibleLines {
  /** Some lines of a part are visible from now on; `order` is the part's place in the history. */
  show(order: number, part: string, lines: Lines, from: number, count: number): void
  /** Nothing of a part is visible any more. */
  hide(part: string): void
  /** Visible lines that equal the lines from here on, at most `most` of them. */
  find(lines: Lines, from: number, most?: number): Match | null
}

const placesPerSource = 2 ** 24

/**
 * The places of runs with a hash, in order. Of a run that a source has often only the last place is kept: it is the one to
 * be found as long as any of them is visible, and a log of one line a million times costs no more than other words.
 */
type Runs = Map<number, number | number[]>

/** Creates an index without visible lines. */
export function createVisibleLines(): VisibleLines {
  const sources = new Map<number, Source>()
  const orders = new Map<string, number>()
  const runs: Runs = new Map()
  return {
    show(order, id, lines, from, count) {
      if (count < leastLines) return
      let source = sources.get(order)
      if (source === undefined) {
        source = { id, lines, visible: new Uint8Array(lines.count), shown: [] }
        sources.set(order, source)
        orders.set(id, order)
      }
      source.visible.fill(1, from, from + count)
      source.shown.push({ from, count })
      eachRun(lines, from, count, line => {
        note(runs, lines, order * placesPerSource + line)
      })
    },
    hide(id) {
      const order = orders.get(id)
      const source = order === undefined ? undefined : sources.get(order)
      if (order === undefined || source === undefined) return
      for (const { from, count } of source.shown)
        eachRun(source.lines, from, count, line => {
          drop(runs, hashOfRun(source.lines, line), order)
        })
      sources.delete(order)
      orders.delete(id)
    },
    find(lines, from, most = lines.count) {
      if (!isRun(lines, from)) return null
      const places = runs.get(hashOfRun(lines, from))
      if (places === undefined) return null
      return typeof places === 'number'
        ? matchAt(sources, places, lines, from, most)
        : newestMatch(sources, places, lines, from, most)
    },
  }
}

const orderOf = (place: number) => Math.floor(place / placesPerSource)

/** Finds where enough consecutive lines begin; shorter runs are never compared. */
function eachRun(lines: Lines, from: number, count: number, tell: (line: number) => void): void {
  let length = 0
  for (let line = from; line < from + count; line += 1) {
    length = length > 0 && isNextLine(lines, line) ? length + 1 : 1
    if (length >= leastLines) tell(line - leastLines + 1)
  }
}

function isRun(lines: Lines, from: number): boolean {
  if (from + leastLines > lines.count) return false
  for (let line = from + 1; line < from + leastLines; line += 1) if (!isNextLine(lines, line)) return false
  return true
}

function note(runs: Runs, lines: Lines, place: number): void {
  const hash = hashOfRun(lines, place % placesPerSource)
  const known = runs.get(hash)
  if (known === undefined) runs.set(hash, place)
  else if (typeof known !== 'number') insert(known, lines, place)
  else {
    const places = [known]
    insert(places, lines, place)
    const [only = place, ...others] = places
    runs.set(hash, others.length === 0 ? only : places)
  }
}

/** Keeps places in order, and of the same run in the same source the last one. */
function insert(places: number[], lines: Lines, place: number): void {
  const order = orderOf(place)
  const end = firstFrom(places, (order + 1) * placesPerSource)
  let same = end - 1
  while (same >= 0 && orderOf(places[same] ?? 0) === order && !isSameRun(lines, places[same] ?? 0, place))
    same -= 1
  if (same === -1 || orderOf(places[same] ?? 0) !== order) places.splice(firstFrom(places, place), 0, place)
  else if ((places[same] ?? 0) < place) {
    places[same] = place
    // Others of this source are here only when their hash is the same by chance.
    if (same < end - 1) places.sort((a, b) => a - b)
  }
}

function isSameRun(lines: Lines, one: number, other: number): boolean {
  for (let line = 0; line < leastLines; line += 1)
    if (!sameLine(lines, (one % placesPerSource) + line, lines, (other % placesPerSource) + line))
      return false
  return true
}

/** Removes the places of a source. */
function drop(runs: Runs, hash: number, order: number): void {
  const known = runs.get(hash)
  if (typeof known === 'number') {
    if (orderOf(known) === order) runs.delete(hash)
  } else if (known !== undefined) {
    const from = firstFrom(known, order * placesPerSource)
    known.splice(from, firstFrom(known, (order + 1) * placesPerSource) - from)
    if (known.length === 0) runs.delete(hash)
  }
}

/** The index of the first place that is not before this one. */
function firstFrom(places: readonly number[], place: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}

function newestMatch(
  sources: ReadonlyMap<number, Source>,
  places: readonly number[],
  lines: Lines,
  from: number,
  most: number,
): Match | null {
  for (let at = places.length - 1; at >= 0; at -= 1) {
    const match = matchAt(sources, places[at] ?? 0, lines, from, most)
    if (match !== null) return match
  }
  return null
}

function matchAt(
  sources: ReadonlyMap<number, Source>,
  place: number,
  lines: Lines,
  from: number,
  most: number,
): Match | null {
  const source = sources.get(orderOf(place))
  return source === undefined ? null : extend(source, place % placesPerSource, lines, from, most)
}

function hashOfRun({ hash }: Lines, from: number): number {
  let sum = 0
  for (let line = from; line < from + leastLines; line += 1)
    sum = (Math.imul(sum, 0x01000193) + (hash[line] ?? 0)) | 0
  return sum
}

function extend(source: Source, sourceFrom: number, lines: Lines, from: number, most: number): Match | null {
  let count = 0
  while (count < most && from + count < lines.count && sourceFrom + count < source.lines.count) {
    const ours = from + count
    const theirs = sourceFrom + count
    if (source.visible[theirs] !== 1 || !sameLine(source.lines, theirs, lines, ours)) break
    if (count > 0 && !(isNextLine(lines, ours) && isNextLine(source.lines, theirs))) break
    count += 1
  }
  return count < leastLines ? null : { source: source.id, sourceFrom, lines: count }
}
