import { endOfDay, startOfDay, zoneOf } from '../../catalogue/days.ts'
import type { Handlers } from './handler.ts'

const isDay = (text: string) => text.includes('-')

/** What was used across sessions. */
export const usage: Handlers<'getUsage'> = {
  async getUsage({ sessions, now }, { query }) {
    const { from, to, by = ['day'] } = query
    const zone = zoneOf(query.zone ?? 'UTC')
    const { waiting, unknown, ...read } = await sessions.usage({
      ...(from !== undefined && { from: isDay(from) ? startOfDay(zone, from) : Number(from) }),
      to: to === undefined ? now() + 1 : isDay(to) ? endOfDay(zone, to) : Number(to),
      zone,
      by,
      demo: query.demo !== undefined,
    })
    return { ...read, unknown: { ...unknown, waiting } }
  },
}
