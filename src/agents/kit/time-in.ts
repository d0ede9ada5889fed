import type { Json } from '../../protocol/json.ts'

/** The time that an ISO date tells, in milliseconds since 1970; null when it is none. */
export function timeIn(date: Json | undefined): number | null {
  const time = typeof date === 'string' ? Date.parse(date) : Number.NaN
  return Number.isNaN(time) ? null : time
}
