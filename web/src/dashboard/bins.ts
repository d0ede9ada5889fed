/** Some days that are shown as one column. */
export interface Bin {
  /** Its first day. */
  readonly day: string
  /** As an axis names it, and in full. */
  readonly label: string
  readonly name: string
}

const dayMs = 86_400_000
const parse = (day: string) => Date.parse(`${day}T00:00:00Z`)
const format = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The width of columns: days while they fit, then weeks, then months. */
export type Width = 'day' | 'week' | 'month'

/** The width at which days can be read. */
export function widthOf(days: number): Width {
  if (days <= 100) return 'day'
  return days <= 700 ? 'week' : 'month'
}

/** The first day of the bin that a day belongs to. */
export function binOf(day: string, width: Width): string {
  if (width === 'month') return `${day.slice(0, 7)}-01`
  if (width === 'day') return day
  const at = parse(day)
  // Weeks start on Monday; January 1, 1970 was a Thursday.
  return format(at - ((at / dayMs + 3) % 7) * dayMs)
}

/** Every bin between two days, those with nothing in them too. */
export function binsBetween(first: string, last: string, locale?: string): readonly Bin[] {
  const width = widthOf((parse(last) - parse(first)) / dayMs + 1)
  const days = new Set<string>()
  for (let at = parse(first); at <= parse(last); at += dayMs) days.add(binOf(format(at), width))
  return [...days].map(day => ({ day, ...namesOf(day, width, locale) }))
}

/** The date of a moment in the user's time zone. */
export function dayOf(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** A full date in the user's locale. */
export const dayName = (day: string): string =>
  new Date(parse(day)).toLocaleDateString(undefined, { timeZone: 'UTC', dateStyle: 'medium' })

function namesOf(day: string, width: Width, locale: string | undefined) {
  const show = (options: Intl.DateTimeFormatOptions) =>
    new Date(parse(day)).toLocaleDateString(locale, { timeZone: 'UTC', ...options })
  const full = show({ dateStyle: 'medium' })
  if (width === 'month') {
    const name = show({ month: 'long', year: 'numeric' })
    return { label: show({ month: 'short', year: '2-digit' }), name }
  }
  const label = show({ day: 'numeric', month: 'short' })
  return { label, name: width === 'week' ? `Week of ${full}` : full }
}

/** Which bins are named under the axis: a few, evenly; every other of these only where there is room. */
export function labelled(count: number, most = 7): (index: number) => 'always' | 'with-room' | null {
  const every = Math.max(1, Math.ceil(count / most))
  return index => (index % every !== 0 ? null : index % (2 * every) === 0 ? 'always' : 'with-room')
}
