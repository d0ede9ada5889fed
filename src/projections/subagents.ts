import type { Thread } from '../protocol/chunk.ts'
import type { DataParts } from '../protocol/data-parts.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import { createFold, type Fold } from './fold.ts'
import { momentOf, type Moment } from './moment.ts'

type Report = DataParts['subagent']

/** A subagent at work or done: its last report, and where it belongs. */
export interface Subagent extends Report {
  /** Its thread, named by the tool call that started it. */
  readonly thread: string
  readonly parent: Thread
  readonly interaction: InteractionId | null
  readonly start: Moment
  readonly stop: Moment | null
}

/** Folds entries into every subagent, in the order in which they began; those `running` are the active ones. */
export function createSubagents(): Fold<readonly Subagent[]> {
  const subagents = new Map<string, Subagent>()
  const running = new Set<string>()

  const report = (entry: Entry, parent: Thread, thread: string, data: Report) => {
    const interaction = 'interaction' in entry.event ? entry.event.interaction : null
    const before = subagents.get(thread) ?? { parent, interaction, start: momentOf(entry), stop: null }
    const stop = data.status === 'running' ? null : (before.stop ?? momentOf(entry))
    subagents.set(thread, { ...before, ...data, thread, stop })
    if (stop === null) running.add(thread)
    else running.delete(thread)
  }
  const take = (entry: Entry): boolean => {
    const { event } = entry
    let changed = false
    for (const { thread, chunk } of chunksOf(event)) {
      if (chunk.type !== 'data-subagent' || chunk.id === undefined) continue
      report(entry, thread, chunk.id, chunk.data)
      changed = true
    }
    // None outlives the process it ran in; a new process means that the old one is gone.
    if (event.type !== 'agent-exited' && event.type !== 'agent-connected') return changed
    for (const thread of running) {
      const before = subagents.get(thread)
      if (before !== undefined) report(entry, before.parent, thread, { ...before, status: 'stopped' })
      changed = true
    }
    return changed
  }
  return createFold(take, () => [...subagents.values()])
}
