import type { Journal } from '../../journal/journal.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Log } from '../log.ts'
import { logEntry } from './log-entry.ts'
import type { Metrics } from './metrics.ts'
import { createWatch } from './watch-entries.ts'

/** The same journal, with metrics for everything saved, and logs of what matters to operators. */
export function meterJournal(journal: Journal, metrics: Metrics, log: Log): Journal {
  const count = createWatch(metrics)
  const see = (entry: Entry) => {
    count(entry)
    logEntry(log, entry)
  }
  const measure = async (save: Promise<readonly Entry[]>): Promise<readonly Entry[]> => {
    const began = performance.now()
    const entries = await save
    metrics.saveSeconds.observe((performance.now() - began) / 1000)
    for (const entry of entries) see(entry)
    return entries
  }
  return {
    ...journal,
    create: (session, events, times) => measure(journal.create(session, events, times)),
    append: (session, events) => measure(journal.append(session, events)),
    async appendOnce(session, once, events) {
      const saved = await journal.appendOnce(session, once, events)
      if (!saved.repeated) for (const entry of saved.entries) see(entry)
      return saved
    },
  }
}
