import * as z from 'zod/mini'
import { bounded, defineTool, ToolRefusal } from './tool.ts'

/** Returns content that was left out. */
export const recall = defineTool({
  name: 'recall',
  description:
    'Returns a part of the conversation that was cleared or replaced by a reference. Pass the name from the placeholder: for "recall abc123", pass "abc123".',
  schema: z.strictObject({ name: z.string().check(z.minLength(1)) }),
  asks: false,
  async run({ name }, place) {
    const found = await place.recall(name)
    if (found === null) throw new ToolRefusal(`There is no part with the name ${name}.`)
    return typeof found === 'string' ? bounded(found) : found
  },
})
