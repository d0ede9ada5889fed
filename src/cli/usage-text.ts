import { costWords, wholeCost, type Usage, type UsageRow } from '../client/usage/index.ts'
import type { Shell } from './shell.ts'
import { costText, countText, counted, durationText } from './terminal/amounts.ts'
import { inertLine } from './terminal/inert.ts'
import { tableText, type Column } from './terminal/table.ts'

type Group = 'day' | 'hour' | 'block' | 'agent' | 'model' | 'folder' | 'branch' | 'tool' | 'file' | 'reason'

/** Usage for people: a table, and the total in words. */
export function usageText(usage: Usage, by: readonly string[], { out }: Shell): string {
  const { rows } = usage
  if (rows.length === 0) return `${emptyText(usage)}${limitsText(usage)}${notesText(usage, out.style.dim)}`
  const table = tableText([...groupColumns(by), ...sumColumns(rows)], rows, {
    style: out.style,
    width: out.columns,
  })
  return `${table}\n${totalText(usage)}${limitsText(usage)}${notesText(usage, out.style.dim)}`
}

const emptyText = ({ total }: Usage) =>
  total.sessions === 0
    ? 'No usage in this period. Add --demo to include demo sessions.\n'
    : 'No data for these groups.\n'

/** The columns of what rows have in common. */
function groupColumns(by: readonly string[]): readonly Column<UsageRow>[] {
  return by.flatMap((name): readonly Column<UsageRow>[] => {
    if (name === 'session') return [idColumn, titleColumn]
    if (name === 'interaction') return [idColumn, promptColumn]
    const group = name as Group
    return [{ title: name, text: row => inertLine(row[group] || 'unknown'), shrinks: shrinking.has(name) }]
  })
}

const shrinking: ReadonlySet<string> = new Set(['folder', 'file', 'reason', 'branch'])
const idColumn: Column<UsageRow> = { title: 'session', text: ({ session = '' }) => session.slice(0, 13) }
const titleColumn: Column<UsageRow> = {
  title: 'title',
  text: ({ title }) => inertLine(title ?? ''),
  shrinks: true,
}
const promptColumn: Column<UsageRow> = {
  title: 'prompt',
  text: ({ prompt, title }) => inertLine(prompt ?? title ?? ''),
  shrinks: true,
}

/** The columns of sums, without those that no row has. An estimated cost is marked. */
function sumColumns(rows: readonly UsageRow[]): readonly Column<UsageRow>[] {
  const columns: readonly (Column<UsageRow> & { readonly isKnown: (row: UsageRow) => boolean })[] = [
    {
      title: 'cost',
      text: ({ costs }) => markedCost(costs),
      isKnown: ({ costs }) => wholeCost(costs) !== null,
    },
    sum('tokens', ({ tokens }) => tokens && tokens.input + tokens.output, countText),
    sum('cached', ({ tokens }) => tokens && tokens.cacheRead + tokens.cacheWrite, countText),
    sum('cache hits', ({ cache }) => cache.hitRate, percentText),
    sum('turns', ({ interactions }) => interactions, countText),
    sum('calls', ({ calls }) => calls, countText),
    sum('failed', ({ failures }) => failures.calls, countText),
    sum('lines +', ({ lines }) => lines && lines.added, countText),
    sum('lines −', ({ lines }) => lines && lines.removed, countText),
    sum('waited', ({ waitTime }) => waitTime || null, durationText),
    sum('$ / h', ({ burn }) => burn?.costPerHour ?? null, costText),
  ]
  return columns.filter(({ isKnown }) => rows.some(isKnown))
}

const sum = (
  title: string,
  read: (row: UsageRow) => number | null,
  write: (value: number) => string,
): Column<UsageRow> & { readonly isKnown: (row: UsageRow) => boolean } => ({
  title,
  text: row => {
    const value = read(row)
    return value === null ? '' : write(value)
  },
  isKnown: row => read(row) !== null,
})

const percentText = (value: number) => `${(value * 100).toFixed(value > 0.995 || value < 0.1 ? 1 : 0)} %`

/** A cost; one with an estimated part begins with "~". */
function markedCost(costs: UsageRow['costs']): string {
  const whole = wholeCost(costs)
  return whole === null ? '' : `${costs.estimated === null ? '' : '~'}${costText(whole)}`
}

function totalText({ total }: Usage): string {
  const { tokens, cache } = total
  const cost = costWords(total.costs, costText) ?? 'unknown'
  const saved = cache.saved === null ? '' : `, which saved ${costText(cache.saved)}`
  const all = tokens === null ? 0 : tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite
  return [
    `Cost: ${cost}.`,
    `${counted(total.sessions, 'session')}, ${counted(total.interactions ?? 0, 'turn')}, ${countText(all)} tokens.`,
    ...(cache.hitRate === null ? [] : [`Cache hit rate: ${percentText(cache.hitRate)}${saved}.`]),
    '',
  ].join('\n')
}

/** The limits of subscriptions. */
const limitsText = ({ limits }: Usage): string =>
  limits
    .map(({ agent, name, used, resetsAt, isReached }) => {
      const share = used === null ? (isReached ? 'reached' : 'unknown') : percentText(used)
      const reset = resetsAt === null ? '' : `, resets ${new Date(resetsAt).toLocaleString()}`
      return `Limit of ${inertLine(agent)}, ${inertLine(name)}: ${share}${reset}.\n`
    })
    .join('')

/** What is missing from the numbers. */
function notesText({ unknown, rows }: Usage, dim: (text: string) => string): string {
  const names = unknown.models.map(
    ({ model, tokens }) => `${model ?? 'unknown'} (${countText(tokens)} tokens)`,
  )
  const isBranchless = rows.some(({ branch }) => branch === null)
  const notes = [
    ...(names.length === 0
      ? []
      : [`No price is known for: ${names.join(', ')}. Set "prices" in dragoman.json.`]),
    ...(isBranchless ? ['The git branch of some sessions was not recorded.'] : []),
    ...(unknown.waiting === 0
      ? []
      : [`${counted(unknown.waiting, 'session')} of an older version could not be counted yet.`]),
  ]
  return notes.map(note => `${dim(inertLine(note))}\n`).join('')
}
