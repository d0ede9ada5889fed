import type { Thread } from '../protocol/chunk.ts'
import type { Todo } from '../protocol/data-parts.ts'
import { chunksOf } from '../protocol/event.ts'
import type { Projection } from './projection.ts'

/** The plan of each thread that has one, as it stands now. */
export type Todos = ReadonlyMap<Thread, readonly Todo[]>

/** The current plan per thread: the last reported one counts. */
export const todos: Projection<Todos> = {
  initial: new Map(),
  apply(plans, { event }) {
    let next: Map<Thread, readonly Todo[]> | null = null
    for (const { thread, chunk } of chunksOf(event)) {
      if (chunk.type !== 'data-todos') continue
      next ??= new Map(plans)
      next.set(thread, chunk.data.todos)
    }
    return next ?? plans
  },
}
