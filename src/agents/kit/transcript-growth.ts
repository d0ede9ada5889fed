import type { ReadOptions, Transcript, TranscriptLine } from '../importer.ts'
import { readGrowth, type FileEnd } from './file-growth.ts'
import { mergeByTime, newestOf } from './merge-by-time.ts'
import { readObjects, type FileLine } from './transcript-files.ts'

/** How far each file of a transcript was read, and what else reading on needs. */
interface End<Facts> {
  readonly files: ReadonlyMap<string, ReadTo>
  readonly facts: Facts
}

/** How far a file was read, and the newest time in it. */
interface ReadTo {
  readonly end: FileEnd
  readonly newest: number
}

/** The places that files were read to. */
export type FileEnds = Map<string, FileEnd>

/** The lines of a file. Notes how far it was read, if it may be written at the moment. */
export async function readLines(
  file: string,
  ends: FileEnds,
  options: ReadOptions,
): Promise<readonly FileLine[]> {
  const growth = options.follow && (await readGrowth(file, null, Number.MAX_SAFE_INTEGER, options))
  if (!growth) return readObjects(file, options)
  ends.set(file, growth.end)
  return growth.lines
}

/** Where to read on after all lines of some files; nothing if one of them cannot be continued. */
export function wholeGrowth<Facts>(
  ends: FileEnds,
  sources: ReadonlyMap<string, readonly TranscriptLine[]>,
  facts: Facts,
): Pick<Transcript, 'growth'> {
  if (ends.size < sources.size) return {}
  const files = [...ends].map(([file, end]): [string, ReadTo] => [
    file,
    { end, newest: newestOf(sources.get(file) ?? []) },
  ])
  return {
    growth: { end: { files: new Map(files), facts } satisfies End<Facts>, isPart: false, hasMore: false },
  }
}

/**
 * Only the lines that were added to some files since the last reading. Null where everything must be read: a file is new, or was
 * written again, or `linesOf` cannot tell what its lines mean without those before.
 */
export async function readAdded<Facts>(
  files: readonly string[],
  { follow, ...options }: ReadOptions,
  linesOf: (
    added: readonly FileLine[],
    where: { readonly file: string; readonly facts: Facts; readonly before: number },
  ) => readonly TranscriptLine[] | null,
): Promise<Pick<Transcript, 'lines' | 'growth'> | null> {
  const before = (follow?.after ?? null) as End<Facts> | null
  if (follow === undefined || before === null || before.files.size !== files.length) return null
  const { facts } = before
  const ends = new Map<string, ReadTo>()
  const sources: (readonly TranscriptLine[])[] = []
  let hasMore = false
  for (const file of files) {
    const from = before.files.get(file)
    const growth = from && (await readGrowth(file, from.end, follow.most, options))
    const lines = growth && linesOf(growth.lines, { file, facts, before: from.end.lines })
    if (!lines) return null
    ends.set(file, { end: growth.end, newest: newestOf(lines, from.newest) })
    sources.push(lines)
    hasMore ||= growth.hasMore
  }
  const since = files.map(file => before.files.get(file)?.newest ?? 0)
  const end: End<Facts> = { files: ends, facts }
  return { lines: mergeByTime(sources, since), growth: { end, isPart: true, hasMore } }
}
