import * as z from 'zod/mini'
import { checkInput, optionsOf } from '../../protocol/check-input.ts'
import type { Json } from '../../protocol/json.ts'

const json = z.custom<Json>(value => value !== undefined)

const optionsSchema = z.looseObject({
  model: z.optional(z.string()),
  effort: z.optional(z.string()),
  /** When Codex asks for approval: `on-request`, `never`, or a policy of a newer version. */
  approvalPolicy: z.optional(json),
  /** What commands may change: `read-only`, `workspace-write` or `danger-full-access`. */
  sandbox: z.optional(z.string()),
  /** Settings as in its config file. */
  config: z.optional(z.record(z.string(), json)),
  developerInstructions: z.optional(z.string()),
  /** Starts with a copy of this earlier thread of Codex. */
  fork: z.optional(z.string()),
  /** Ends the copy before this turn. */
  forkBefore: z.optional(z.string()),
  /** Whether Codex reports every item of the model, also items that it ignores. */
  rawEvents: z.optional(z.boolean()),
  /** How much may be left out of its history when it is resumed. */
  context: z.optional(z.enum(['off', 'lossless', 'safe', 'balanced', 'aggressive'])),
})

/** The options of a session with Codex. */
export type CodexOptions = z.infer<typeof optionsSchema>

/** Reads the options of a session. */
export function readOptions(options: Json): CodexOptions {
  return checkInput(optionsSchema, options ?? {}, optionsOf('Codex'))
}
