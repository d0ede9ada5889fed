interface Place {
  readonly line: number
  readonly column: number | null
}

/** A part of a file, as Istanbul reports it. */
export interface Range {
  readonly start: Partial<Place>
  readonly end: Partial<Place>
}

/** Istanbul's coverage of a file: its statements and branches, and how often each was run. */
export interface FileCoverage {
  readonly path: string
  readonly statementMap: Readonly<Record<string, Range>>
  readonly s: Record<string, number>
  readonly branchMap: Readonly<Record<string, { readonly locations: readonly Range[] }>>
  readonly b: Record<string, number[]>
}

/** How many were run, and how many there are. */
export interface Sums {
  readonly lines: readonly [covered: number, all: number]
  readonly branches: readonly [covered: number, all: number]
}

/** Counts the lines on which statements begin, and the branches. */
export function sumOf({ statementMap, s, b }: FileCoverage): Sums {
  const lines = new Map<number, number>()
  for (const [id, { start }] of Object.entries(statementMap)) {
    const line = start.line ?? 0
    lines.set(line, Math.max(lines.get(line) ?? 0, s[id] ?? 0))
  }
  return { lines: countOf([...lines.values()]), branches: countOf(Object.values(b).flat()) }
}

const countOf = (counts: readonly number[]): readonly [number, number] => [
  counts.filter(count => count > 0).length,
  counts.length,
]
