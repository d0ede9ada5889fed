import * as z from 'zod/mini'
import { defineTool } from './tool.ts'

/** Gives a task to a subagent. */
export const delegate = defineTool({
  name: 'delegate',
  description:
    'Gives a task to a subagent with the same tools and an empty memory, and returns its last message. Put everything it must know and report into "prompt"; several can work in parallel.',
  schema: z.strictObject({ description: z.string(), prompt: z.string().check(z.minLength(1)) }),
  asks: false,
  run: (task, place) => place.delegate(task),
})
