import { DragomanError } from './error.ts'
import type { Event } from './event.ts'

/** Brings an event of one version to the next. */
export type Upcaster = (event: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

/** One step per version that was ever written: the first lifts version 1 to 2. Grows, never changes. */
const upcasters: readonly Upcaster[] = []

/** The version in which events are written today. */
export const eventVersion = upcasters.length + 1

/** Reads an event written in any version up to today's, so that a journal written once opens for ever. */
export function upcast(stored: unknown, version: number, steps: readonly Upcaster[] = upcasters): Event {
  const newest = steps.length + 1
  if (version > newest)
    throw new DragomanError(
      'folder-newer',
      `This journal has events of version ${version}, but this Dragoman reads only up to version ${newest}. Update Dragoman.`,
    )
  if (version === newest) return stored as Event
  let event = stored as Readonly<Record<string, unknown>>
  for (const step of steps.slice(version - 1)) event = step(event)
  return event as unknown as Event
}
