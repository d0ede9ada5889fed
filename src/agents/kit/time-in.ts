import type { Json } from '../../protocol/json.ts'

/** The time of an ISO date in milliseconds since 1970; null if it is not one. */
export function timeIn(date: Json | undefined): number | null {
  const time = typeof date === 'string' ? Date.parse(date) : Number.NaN
  return Number.isNaN(time) ? null : time
}
