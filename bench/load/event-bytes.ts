import { splitEvent } from '../../src/journal/format/run.ts'
import type { Event } from '../../src/protocol/event.ts'

/** The bytes of an event's JSON and of its raw, each as it is. */
export function eventBytes(event: Event): number {
  const { json, raw } = splitEvent(event)
  return Buffer.byteLength(json) + Buffer.byteLength(raw ?? '')
}
