import * as z from 'zod/mini'
import type { Json } from '../../protocol/json.ts'

/** The configuration of one model; its options are checked where they are read, with their own error messages. */
export const modelSettingsSchema = z.looseObject({
  kind: z.literal('model', '"model"'),
  title: z.optional(z.string('a display name').check(z.minLength(1, 'a display name'))),
  keyFile: z.optional(z.string('the path of a file with an API key')),
})

/** The configuration of one model. */
export type ModelSettings = Readonly<Record<string, Json>> & {
  readonly kind: 'model'
  readonly title?: string
  readonly keyFile?: string
}
