import * as z from 'zod/mini'
import { defineTool } from './tool.ts'

/** Hands a task to a subagent. */
export const delegate = defineTool({
  name: 'delegate',
  description:
    'Hands a task to a helper with the same tools and an empty memory, and gives its last words. Say in "prompt" all that it must know and what it shall report; several may work side by side.',
  schema: z.strictObject({ description: z.string(), prompt: z.string().check(z.minLength(1)) }),
  asks: false,
  run: (task, place) => place.delegate(task),
})
