import type { WorkLogEntry } from 'dragoman/client/work-log'

/** Filters of the work log; an empty text matches all. */
export interface WorkFilter {
  readonly outcome: string
  readonly tool: string
  readonly effect: string
  readonly text: string
}

/** Everything. */
export const anyWork: WorkFilter = { outcome: '', tool: '', effect: '', text: '' }

/** The filtered calls; entries are not copied, and without a filter it is the same list. */
export function filterWork(entries: readonly WorkLogEntry[], filter: WorkFilter): readonly WorkLogEntry[] {
  if (Object.values(filter).every(each => each === '')) return entries
  const text = filter.text.toLowerCase()
  return entries.filter(
    entry =>
      (filter.outcome === '' || entry.outcome === filter.outcome) &&
      (filter.tool === '' || entry.tool === filter.tool) &&
      (filter.effect === '' || entry.effect === filter.effect) &&
      (text === '' || textOf(entry).includes(text)),
  )
}

const textOf = ({ sentence, tool, impact }: WorkLogEntry) =>
  [sentence, tool, ...impact.map(({ resource }) => resource)].join('\n').toLowerCase()

/** Totals of the calls. */
export interface WorkTotals {
  readonly calls: number
  readonly running: number
  readonly failures: number
  /** How many files were created, changed or deleted. */
  readonly files: number
  readonly milliseconds: number
}

/** Counts the lines. */
export function totalsOf(entries: readonly WorkLogEntry[]): WorkTotals {
  const count = (outcome: string) => entries.filter(each => each.outcome === outcome).length
  const files = new Set(entries.flatMap(filesChanged))
  return {
    calls: entries.length,
    running: count('pending'),
    failures: count('failure'),
    files: files.size,
    milliseconds: entries.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
  }
}

const changes = new Set(['created', 'changed', 'deleted'])
const filesChanged = ({ impact }: WorkLogEntry) =>
  impact.flatMap(({ change, resource }) => (changes.has(change) ? resource : []))

/** A row of the timeline: the start of an interaction, or a call. */
export type WorkRow =
  | {
      readonly kind: 'interaction'
      readonly key: string
      readonly interaction: string | null
      readonly at: number | null
      readonly calls: number
      readonly failures: number
    }
  | {
      readonly kind: 'call'
      readonly key: string
      readonly entry: WorkLogEntry
      /** Under how many calls of subagents it was made. */
      readonly depth: number
    }

/** The lines by interaction, both in the order in which they started. */
export function rowsOf(entries: readonly WorkLogEntry[]): readonly WorkRow[] {
  const depthOf = depthsOf(entries)
  const groups = Map.groupBy(entries, ({ interaction }) => interaction)
  return [...groups].flatMap(([interaction, own]): readonly WorkRow[] => [
    {
      kind: 'interaction',
      key: `interaction ${interaction}`,
      interaction,
      at: own[0]?.start?.at ?? null,
      calls: own.length,
      failures: own.filter(({ outcome }) => outcome === 'failure').length,
    },
    ...own.map(entry => ({ kind: 'call', key: keyOf(entry), entry, depth: depthOf(entry.thread) }) as const),
  ])
}

/** The depth of threads: each is named after the call that started it, which was made in another thread. */
function depthsOf(entries: readonly WorkLogEntry[]): (thread: string | null) => number {
  const madeIn = new Map(entries.map(({ toolCallId, thread }) => [toolCallId, thread]))
  const depthOf = (thread: string | null, most = 9): number =>
    thread === null || most === 0 ? 0 : 1 + depthOf(madeIn.get(thread) ?? null, most - 1)
  return depthOf
}

/** A key that is unique among all calls. */
export const keyOf = ({ message, toolCallId }: WorkLogEntry): string => `${message} ${toolCallId}`

/** All names of a kind that occur, for a list to choose from. */
export const namesOf = (entries: readonly WorkLogEntry[], kind: 'tool' | 'effect'): readonly string[] =>
  [...new Set(entries.map(entry => entry[kind]))].toSorted((a, b) => a.localeCompare(b))

/** Puts older lines before those that are followed; each once. */
export function withOlder(
  older: readonly WorkLogEntry[],
  live: readonly WorkLogEntry[],
): readonly WorkLogEntry[] {
  if (older.length === 0) return live
  const known = new Set(live.map(keyOf))
  return [...older.filter(entry => !known.has(keyOf(entry))), ...live]
}
