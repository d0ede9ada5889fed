import * as z from 'zod/mini'
import { checkInput, optionsOf } from '../../protocol/check-input.ts'
import type { Json } from '../../protocol/json.ts'

const json = z.custom<Json>(value => value !== undefined)

const optionsSchema = z.looseObject({
  /** Provider and model, separated by a slash. */
  model: z.optional(z.string().check(z.regex(/^[^/]+\/.+$/, 'write it as "provider/model"'))),
  /** Which of its agents answers, such as `build` or `plan`. */
  agent: z.optional(z.string()),
  variant: z.optional(z.string()),
  /** Settings as in its config file. Sessions with different settings get a separate server. */
  config: z.optional(z.record(z.string(), json)),
  /** Permission rules for the session's tools. */
  permission: z.optional(json),
  /** Begins as a copy of this earlier session of OpenCode. */
  fork: z.optional(z.string()),
  /** Begins the copy before this message of it. */
  forkBefore: z.optional(z.string()),
  /** How much of its history may be left out of requests. */
  context: z.optional(z.enum(['off', 'lossless', 'safe', 'balanced', 'aggressive'])),
})

/** The options of a session with OpenCode. */
export type OpenCodeOptions = z.infer<typeof optionsSchema>

/** Reads the options of a session. */
export function readOptions(options: Json): OpenCodeOptions {
  return checkInput(optionsSchema, options ?? {}, optionsOf('OpenCode'))
}
