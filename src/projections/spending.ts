import type { Thread, ThreadChunk } from '../protocol/chunk.ts'
import { addSpent, nothingSpent, spentIn, type Spent } from './spent.ts'

/**
 * What a session has used, in a small form that can be stored and continued. A message may report its usage again, which
 * replaces the earlier report. Until that is no longer possible, its usage is kept apart from the settled sum.
 */
export interface Spending {
  /** The messages that can no longer be changed, together. */
  readonly settled: Spent
  /** The messages that are open, and the last few that were. */
  readonly recent: readonly RecentMessage[]
}

interface RecentMessage {
  readonly id: string
  readonly thread: Thread
  readonly open: boolean
  readonly spent: Spent | null
  readonly exact: boolean
}

/** How many closed messages can still report new usage. A later report of an older message is counted twice. */
const remembered = 16

/** Before anything was used. */
export const noSpending: Spending = { settled: nothingSpent, recent: [] }

/** All that was used so far. */
export function totalSpent({ settled, recent }: Spending): Spent {
  return recent.reduce((sum, { spent }) => (spent === null ? sum : addSpent(sum, spent)), settled)
}

/** Takes one chunk in; most change nothing. */
export function spend(spending: Spending, { thread, chunk }: ThreadChunk): Spending {
  if (chunk.type === 'start') return begin(spending, thread, chunk.messageId)
  const report = spentIn(chunk)
  const ends = chunk.type === 'finish'
  if (report === null && !ends) return spending
  const index = spending.recent.findLastIndex(each => each.open && each.thread === thread)
  const before = spending.recent[index]
  if (before === undefined) return spending
  const counts = report !== null && (report.exact || !before.exact)
  const news = counts ? { spent: report.spent, exact: report.exact } : {}
  const after = { ...before, ...news, open: !ends }
  return settle({ ...spending, recent: spending.recent.with(index, after) })
}

/** A message that is opened again goes on as the newest. */
function begin({ settled, recent }: Spending, thread: Thread, id: string): Spending {
  const same = (each: RecentMessage) => each.id === id && each.thread === thread
  const before = recent.find(same) ?? { id, thread, spent: null, exact: false }
  return { settled, recent: [...recent.filter(each => !same(each)), { ...before, open: true }] }
}

function settle(spending: Spending): Spending {
  const closed = spending.recent.filter(each => !each.open)
  const [oldest] = closed
  if (oldest === undefined || closed.length <= remembered) return spending
  return {
    settled: oldest.spent === null ? spending.settled : addSpent(spending.settled, oldest.spent),
    recent: spending.recent.filter(each => each !== oldest),
  }
}
