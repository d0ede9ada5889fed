import * as z from 'zod/mini'
import type { Todo } from '../../../protocol/data-parts.ts'
import { defineTool } from './tool.ts'

const statuses = {
  pending: 'pending',
  in_progress: 'in-progress',
  completed: 'completed',
  cancelled: 'cancelled',
} as const

/** Replaces the plan. */
export const todo = defineTool({
  name: 'todo',
  description:
    'Saves your plan for work with several steps, so that the user can follow it. Pass the whole list each time; at most one item is "in_progress".',
  schema: z.strictObject({
    todos: z.array(
      z.strictObject({
        content: z.string(),
        status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
      }),
    ),
  }),
  asks: false,
  async run({ todos }, place) {
    const plan = todos.map(({ content, status }): Todo => ({ text: content, status: statuses[status] }))
    await place.showTodos(plan)
    const done = plan.filter(({ status }) => status === 'completed').length
    return `Written down: ${done} of ${plan.length} done.`
  },
})
