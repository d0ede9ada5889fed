import * as z from 'zod/mini'
import { bounded, defineTool, ToolRefusal } from './tool.ts'

/** Gives back what was left out. */
export const recall = defineTool({
  name: 'recall',
  description:
    'Gives back a part of the conversation that was cleared or is only referred to, by the name that stands in its place: for "recall abc123", give "abc123".',
  schema: z.strictObject({ name: z.string().check(z.minLength(1)) }),
  asks: false,
  async run({ name }, place) {
    const found = await place.recall(name)
    if (found === null) throw new ToolRefusal(`There is no part with the name ${name}.`)
    return typeof found === 'string' ? bounded(found) : found
  },
})
