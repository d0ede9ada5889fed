import type { Todo } from 'dragoman'

/** A plan's progress: how many items are done, and which one is in progress. */
export interface PlanProgress {
  readonly done: number
  readonly all: number
  /** The first that is being done, or else the first that is not done; null when all is. */
  readonly current: string | null
}

/** Items that were given up do not count. */
export function progressOf(todos: readonly Todo[]): PlanProgress {
  const counted = todos.filter(({ status }) => status !== 'cancelled')
  const current =
    counted.find(({ status }) => status === 'in-progress') ??
    counted.find(({ status }) => status === 'pending')
  const done = counted.filter(({ status }) => status === 'completed').length
  return { done, all: counted.length, current: current?.text ?? null }
}

/** A plan in one line: «3 of 5 · the item». */
export function planLine(todos: readonly Todo[]): string {
  const { done, all, current } = progressOf(todos)
  return `${done} of ${all} · ${current ?? 'All done'}`
}
