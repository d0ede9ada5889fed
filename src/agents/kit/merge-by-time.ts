import type { TranscriptLine } from '../importer.ts'

/**
 * Merges the lines of several files by time. The order within each file stays, and a line without a time follows the line
 * before it. For lines of the same time, an earlier file comes first.
 */
export function mergeByTime(sources: readonly (readonly TranscriptLine[])[]): readonly TranscriptLine[] {
  const dated = sources.flatMap(lines => {
    let newest = 0
    return lines.map(line => {
      newest = Math.max(newest, line.at ?? 0)
      return { line, at: newest }
    })
  })
  // Sorting is stable, so it only mixes the files.
  return dated.toSorted((a, b) => a.at - b.at).map(({ line }) => line)
}
