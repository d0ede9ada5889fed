import type { TranscriptLine } from '../importer.ts'

/**
 * One line of time from several files: the order within each stays, and a line without a time keeps to the one before it. Of lines
 * of the same time, those of an earlier file come first.
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
