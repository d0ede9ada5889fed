import { DragomanError } from '../protocol/error.ts'

/** A span of time, up to `until`, in which a time zone was `ms` ahead of UTC. */
export interface Stretch {
  readonly until: number
  readonly ms: number
}

/** A time zone. */
export interface Zone {
  /** Milliseconds ahead of UTC at a moment. */
  offsetAt(at: number): number
}

const minute = 60_000
const dayMs = 24 * 60 * minute
/** No time zone changes its offset and changes it back within this time. */
const step = 10 * dayMs

/** The time zone with a name ("Europe/Berlin"), or a number of minutes ahead of UTC ("120", "-300"). */
export function zoneOf(name: string): Zone {
  if (/^[+-]?\d{1,4}$/.test(name)) return { offsetAt: () => Number(name) * minute }
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
    return { offsetAt: at => readOffset(format.formatToParts(at)) }
  } catch (cause) {
    const message = `There is no time zone ${JSON.stringify(name.slice(0, 100))}. Use a name like "Europe/Berlin", or minutes ahead of UTC.`
    throw new DragomanError('invalid-input', message, { cause })
  }
}

function readOffset(parts: readonly Intl.DateTimeFormatPart[]): number {
  const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes, seconds] = /([+-])(\d\d?):?(\d\d)?:?(\d\d)?/.exec(text) ?? []
  if (hours === undefined) return 0
  const ms = (Number(hours) * 60 + Number(minutes ?? 0)) * minute + Number(seconds ?? 0) * 1000
  return sign === '-' ? -ms : ms
}

/** The moment at which a day ("2026-11-15") begins in a zone. */
export function startOfDay(zone: Zone, day: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`)
  // The parser takes the 31st of February for a day in March.
  if (Number.isNaN(utc) || nameOfDay(utc / dayMs) !== day)
    throw new DragomanError('invalid-input', `${day} is not a valid day. Write it like 2026-11-15.`)
  const near = utc - zone.offsetAt(utc)
  return utc - zone.offsetAt(near)
}

/** The moment at which the day after begins. */
export const endOfDay = (zone: Zone, day: string): number =>
  startOfDay(zone, nameOfDay(Date.parse(`${day}T00:00:00Z`) / dayMs + 1))

/** The name of a day by its number, counted from 1970. */
export const nameOfDay = (number: number): string =>
  Number.isFinite(number) ? new Date(number * dayMs).toISOString().slice(0, 10) : 'never'

/** The name of an hour by its first moment, in a zone: "2026-11-15T14:00+01:00". */
export function nameOfHour(zone: Zone, at: number): string {
  if (!Number.isFinite(at)) return 'never'
  const ms = zone.offsetAt(at)
  const ahead = Math.abs(Math.trunc(ms / minute))
  const two = (value: number) => String(value).padStart(2, '0')
  const offset = `${ms < 0 ? '-' : '+'}${two(Math.trunc(ahead / 60))}:${two(ahead % 60)}`
  return `${new Date(at + ms).toISOString().slice(0, 16)}${offset}`
}

/** The offsets of a time zone between two moments; the last span has no end. */
export function stretchesOf(zone: Zone, from: number, to: number): readonly Stretch[] {
  const stretches: Stretch[] = []
  let ms = zone.offsetAt(from)
  for (let at = from; at < to; at += step) {
    const next = zone.offsetAt(at + step)
    if (next === ms) continue
    stretches.push({ until: changeBetween(zone, at, at + step), ms })
    ms = next
  }
  return [...stretches, { until: Number.MAX_SAFE_INTEGER, ms }]
}

/** The first moment with another offset. */
function changeBetween(zone: Zone, from: number, to: number): number {
  let [before, after] = [from, to]
  const ms = zone.offsetAt(before)
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (zone.offsetAt(middle) === ms) before = middle
    else after = middle
  }
  return after
}
