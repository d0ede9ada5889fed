import type { Chunk } from '../../protocol/chunk.ts'
import type { Event } from '../../protocol/event.ts'
import type { Catalogue } from '../catalogue.ts'
import { zoneOf } from '../days.ts'
import type { UsageFilter } from '../read-usage.ts'
import { finish, spoke, start, type Stories } from './stories.ts'

/** An hour in milliseconds. */
export const hour = 3_600_000

/** The usage of everything until long after the stories. */
export const usageOf = (catalogue: Catalogue, filter: Partial<UsageFilter> = {}) =>
  catalogue.usage({ to: 1e12, zone: zoneOf('UTC'), by: ['day'], now: 100 * hour, ...filter })

/** Adds events to a session, each at its own time. */
export async function tellAt(
  stories: Stories,
  session: string,
  ...told: readonly (readonly [at: number, event: Event])[]
) {
  for (const [at, event] of told) {
    stories.at = at
    await stories.tell(session, event)
  }
}

/** What an agent said in an interaction. */
export const said = (...chunks: readonly Chunk[]) => spoke('i', null, start('m'), ...chunks, finish)
