import * as z from 'zod/mini'
import { checkInput, optionsOf } from '../../protocol/check-input.ts'
import type { Json } from '../../protocol/json.ts'

const json = z.custom<Json>(value => value !== undefined)

const optionsSchema = z.looseObject({
  model: z.optional(z.string()),
  effort: z.optional(z.string()),
  /** When Codex asks: `on-request`, `never`, or what a newer one knows. */
  approvalPolicy: z.optional(json),
  /** What commands may touch: `read-only`, `workspace-write` or `danger-full-access`. */
  sandbox: z.optional(z.string()),
  /** Settings as in its config file. */
  config: z.optional(z.record(z.string(), json)),
  developerInstructions: z.optional(z.string()),
  /** Begins as a copy of this earlier thread of Codex. */
  fork: z.optional(z.string()),
  /** Begins the copy before this turn of it. */
  forkBefore: z.optional(z.string()),
  /** Whether every item of the model is told, also those that Codex makes nothing of. */
  rawEvents: z.optional(z.boolean()),
  /** How much may be left out of its history when it is picked up again. */
  context: z.optional(z.enum(['off', 'lossless', 'safe', 'balanced', 'aggressive'])),
})

/** What a session with Codex may be created with. */
export type CodexOptions = z.infer<typeof optionsSchema>

/** Reads the options of a session. */
export function readOptions(options: Json): CodexOptions {
  return checkInput(optionsSchema, options ?? {}, optionsOf('Codex'))
}
