import type { Thread } from '../protocol/chunk.ts'
import type { DataParts } from '../protocol/data-parts.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf, type Event } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import { createFold, type Fold } from './fold.ts'
import { momentOf, type Moment } from './moment.ts'
import type { Projection } from './projection.ts'

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

/** Where a report comes from. */
interface Place {
  readonly parent: Thread
  readonly thread: string
}

/**
 * Folds entries into every subagent, in the order in which they began; those `running` are the active ones. From a
 * snapshot on it knows those that ran then, and those that began later.
 */
export function createSubagents(from?: readonly Subagent[]): Fold<readonly Subagent[]> {
  const subagents = new Map(from?.map(each => [each.thread, each]))
  const running = new Set(subagents.keys())

  const put = (after: Subagent) => {
    subagents.set(after.thread, after)
    if (after.stop === null) running.add(after.thread)
    else running.delete(after.thread)
  }
  const take = (entry: Entry): boolean => {
    let changed = false
    for (const [place, data] of reportsIn(entry.event)) {
      const before = subagents.get(place.thread)
      // A subagent that ended before the snapshot is not shown, even if a later part reports about it.
      if (before === undefined && from !== undefined && data.status !== 'running') continue
      put(reported(before, entry, place, data))
      changed = true
    }
    if (!endsAll(entry.event)) return changed
    for (const thread of running) {
      const before = subagents.get(thread)
      if (before !== undefined) put(reported(before, entry, before, { ...before, status: 'stopped' }))
      changed = true
    }
    return changed
  }
  return createFold(take, () => [...subagents.values()])
}

/** The subagents that run, in plain data that is small however many there were. */
export const runningSubagents: Projection<readonly Subagent[]> = {
  initial: [],
  apply(running, entry) {
    if (endsAll(entry.event)) return running.length === 0 ? running : []
    return reportsIn(entry.event).reduce((before, [place, data]) => {
      const index = before.findIndex(({ thread }) => thread === place.thread)
      const after = reported(before[index], entry, place, data)
      if (after.stop !== null) return before.filter((_, each) => each !== index)
      return index < 0 ? [...before, after] : before.with(index, after)
    }, running)
  },
}

/** None outlives the process it ran in; a new process means that the old one is gone. */
const endsAll = ({ type }: Event) => type === 'agent-exited' || type === 'agent-connected'

function reportsIn(event: Event): readonly (readonly [Place, Report])[] {
  return chunksOf(event).flatMap(({ thread: parent, chunk }) =>
    chunk.type === 'data-subagent' && chunk.id !== undefined
      ? [[{ parent, thread: chunk.id }, chunk.data] as const]
      : [],
  )
}

function reported(
  before: Subagent | undefined,
  entry: Entry,
  { parent, thread }: Place,
  data: Report,
): Subagent {
  const interaction = 'interaction' in entry.event ? entry.event.interaction : null
  const stop = data.status === 'running' ? null : (before?.stop ?? momentOf(entry))
  return { ...(before ?? { parent, interaction, start: momentOf(entry) }), ...data, thread, stop }
}
