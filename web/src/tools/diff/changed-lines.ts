/** Which lines of two texts have no counterpart in the other. */
export interface ChangedLines {
  readonly removed: Uint8Array
  readonly added: Uint8Array
}

/**
 * The number of steps after which two texts are not compared. It counts work and not time, so that the same
 * texts always give the same result. This many steps take about a tenth of a second.
 */
const mostSteps = 20_000_000

/**
 * The smallest set of removed and added lines that turns one text into the other: Myers' algorithm in linear
 * space. Null when it would take too many steps.
 */
export function changedLines(before: readonly string[], after: readonly string[]): ChangedLines | null {
  const ids = new Map<string, number>()
  const idOf = (line: string) => ids.get(line) ?? (ids.set(line, ids.size), ids.size - 1)
  const [from, to] = [before.map(idOf), after.map(idOf)]
  const [inFrom, inTo] = [new Set(from), new Set(to)]
  // A line that only one text has is changed in any case, and need not be compared.
  const fromAt = placesWhere(from, id => inTo.has(id))
  const toAt = placesWhere(to, id => inFrom.has(id))
  const walk = createWalk(
    Int32Array.from(fromAt, at => from[at] ?? -1),
    Int32Array.from(toAt, at => to[at] ?? -1),
  )
  if (!walk.compare(0, fromAt.length, 0, toAt.length)) return null
  return {
    removed: marksFor(from.length, fromAt, walk.kept.from),
    added: marksFor(to.length, toAt, walk.kept.to),
  }
}

const placesWhere = (ids: readonly number[], isWanted: (id: number) => boolean): readonly number[] =>
  ids.flatMap((id, at) => (isWanted(id) ? [at] : []))

/** Marks every line except the common ones. */
function marksFor(length: number, places: readonly number[], kept: Uint8Array): Uint8Array {
  const marks = new Uint8Array(length).fill(1)
  for (const [index, at] of places.entries()) if (kept[index] === 1) marks[at] = 0
  return marks
}

/** Lines of both texts, up to but without the high ones. */
interface Part {
  readonly aLow: number
  readonly aHigh: number
  readonly bLow: number
  readonly bHigh: number
}

/** Equal lines in the middle of a way: from (x, y) up to (u, v). */
interface Snake {
  readonly x: number
  readonly y: number
  readonly u: number
  readonly v: number
}

function createWalk(a: Int32Array, b: Int32Array) {
  const kept = { from: new Uint8Array(a.length), to: new Uint8Array(b.length) }
  const size = a.length + b.length + 3
  const [forward, backward] = [new Int32Array(size), new Int32Array(size)]
  const middle = Math.floor(size / 2)
  let steps = 0

  const keep = (x: number, y: number) => {
    kept.from[x] = 1
    kept.to[y] = 1
  }

  /** The middle of a shortest way through a part in which neither first nor last lines are equal. */
  const snakeIn = ({ aLow, aHigh, bLow, bHigh }: Part): Snake | null => {
    const n = aHigh - aLow
    const m = bHigh - bLow
    const delta = n - m
    const isOdd = delta % 2 !== 0
    const fromStart = (x: number, y: number) => x < n && y < m && a[aLow + x] === b[bLow + y]
    const fromEnd = (x: number, y: number) => x < n && y < m && a[aHigh - 1 - x] === b[bHigh - 1 - y]
    forward[middle + 1] = 0
    backward[middle + 1] = 0
    for (let d = 0; ; d += 1) {
      const first = -d + 2 * Math.max(0, d - m)
      const last = d - 2 * Math.max(0, d - n)
      steps += last - first + 2
      if (steps > mostSteps) return null
      for (let k = first; k <= last; k += 2) {
        const start = extend(forward, d, k, fromStart)
        const x = forward[middle + k] ?? 0
        const meets = isOdd && Math.abs(delta - k) < d && x + (backward[middle + delta - k] ?? 0) >= n
        if (meets) return { x: aLow + start, y: bLow + start - k, u: aLow + x, v: bLow + x - k }
      }
      for (let k = first; k <= last; k += 2) {
        const start = extend(backward, d, k, fromEnd)
        const x = backward[middle + k] ?? 0
        const meets = !isOdd && Math.abs(delta - k) <= d && x + (forward[middle + delta - k] ?? 0) >= n
        if (meets) return { x: aHigh - x, y: bHigh - x + k, u: aHigh - start, v: bHigh - start + k }
      }
    }
  }

  /** Follows a diagonal while lines are equal; returns where it started. */
  const extend = (reached: Int32Array, d: number, k: number, isSame: (x: number, y: number) => boolean) => {
    const below = reached[middle + k - 1] ?? 0
    const above = reached[middle + k + 1] ?? 0
    const start = k === -d || (k !== d && below < above) ? above : below + 1
    let x = start
    while (isSame(x, x - k)) x += 1
    reached[middle + k] = x
    return start
  }

  /** Finds the common lines of a part; false when it takes too long. */
  const compare = (aFrom: number, aTo: number, bFrom: number, bTo: number): boolean => {
    let [aLow, aHigh, bLow, bHigh] = [aFrom, aTo, bFrom, bTo]
    while (aLow < aHigh && bLow < bHigh && a[aLow] === b[bLow]) keep(aLow++, bLow++)
    while (aLow < aHigh && bLow < bHigh && a[aHigh - 1] === b[bHigh - 1]) keep(--aHigh, --bHigh)
    if (aLow === aHigh || bLow === bHigh) return true
    const snake = snakeIn({ aLow, aHigh, bLow, bHigh })
    if (snake === null) return false
    const { x, y, u, v } = snake
    for (let at = 0; at < u - x; at += 1) keep(x + at, y + at)
    return compare(aLow, x, bLow, y) && compare(u, aHigh, v, bHigh)
  }

  return { kept, compare }
}
