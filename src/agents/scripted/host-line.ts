import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { Script } from './script.ts'

/** What we say to the scripted agent, one JSON object a line; the greeting comes first. */
export type HostLine =
  | {
      readonly type: 'hello'
      /** The agent's own name for an earlier session, to pick it up again. */
      readonly resume: string | null
      readonly script: Script | null
      /** What its pauses are multiplied with: 0 for none. */
      readonly pace: number
      /** Makes its ids predictable, for recordings. */
      readonly seed: string | null
    }
  | { readonly type: 'prompt'; readonly id: string; readonly parts: readonly PromptPart[] }
  | {
      readonly type: 'answer'
      readonly approval: string
      readonly approved: boolean
      readonly reason: string | null
      readonly input?: Json
      readonly always: boolean
    }
  | { readonly type: 'interrupt' }
