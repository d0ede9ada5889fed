/** A stretch of time that ends today. */
export type Period = '7' | '30' | '90' | 'all'

/** The periods that can be chosen. */
export const periods: readonly { readonly name: Period; readonly label: string }[] = [
  { name: '7', label: '7 days' },
  { name: '30', label: '30 days' },
  { name: '90', label: '90 days' },
  { name: 'all', label: 'All' },
]

/** The day of a moment, by the clocks of whoever looks. */
export function dayOf(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The first day of a period; undefined for all that there is. */
export function firstDayOf(period: Period, now: number): string | undefined {
  if (period === 'all') return undefined
  const date = new Date(now)
  date.setDate(date.getDate() - (Number(period) - 1))
  return dayOf(date.getTime())
}

/** The name of the time zone of whoever looks. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
