import type { TranscriptLine } from '../importer.ts'

/**
 * Merges the lines of several files by time. The order within each file stays, and a line without a time follows the line
 * before it. For lines of the same time, an earlier file comes first. `since` has the newest time of each file before these lines.
 */
export function mergeByTime(
  sources: readonly (readonly TranscriptLine[])[],
  since: readonly number[] = [],
): readonly TranscriptLine[] {
  const dated = sources.flatMap((lines, index) => {
    let newest = since[index] ?? 0
    return lines.map(line => {
      newest = Math.max(newest, line.at ?? 0)
      return { line, at: newest }
    })
  })
  // Sorting is stable, so it only mixes the files.
  return dated.toSorted((a, b) => a.at - b.at).map(({ line }) => line)
}

/** The newest time of some lines and of those before them. */
export const newestOf = (lines: readonly TranscriptLine[], before = 0): number =>
  lines.reduce((newest, { at }) => Math.max(newest, at ?? 0), before)
