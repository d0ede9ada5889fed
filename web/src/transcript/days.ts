const names = new Map<number, string>()

/** The day of a moment, where the person is: the same text for the same day. */
export function dayOf(at: number): string {
  // Building a date is slow enough to be felt with thousands of them.
  const hour = Math.floor(at / 900_000)
  const known = names.get(hour)
  if (known !== undefined) return known
  const name = new Date(at).toDateString()
  names.set(hour, name)
  return name
}

/** The usual name of a day. */
export function dayName(at: number, now: number): string {
  if (dayOf(at) === dayOf(now)) return 'Today'
  if (dayOf(at) === dayOf(now - 86_400_000)) return 'Yesterday'
  const date = new Date(at)
  const year = date.getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric'
  return date.toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long', year })
}

/** The time of day, short. */
export const timeOfDay = (at: number): string =>
  new Date(at).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' })
