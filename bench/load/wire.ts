import type { Entry } from '../../src/protocol/entry.ts'

/** An entry as a client gets it: as JSON, without the raw line. */
export function wireText(entry: Entry): string {
  const { event } = entry
  return JSON.stringify('raw' in event ? { ...entry, event: { ...event, raw: undefined } } : entry)
}
