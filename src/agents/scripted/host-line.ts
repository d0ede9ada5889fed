import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { Script } from './script.ts'

/** Our lines to the scripted agent, one JSON object per line; `hello` comes first. */
export type HostLine =
  | {
      readonly type: 'hello'
      /** The agent's own id of an earlier session, to resume it. */
      readonly resume: string | null
      readonly script: Script | null
      /** A factor for its pauses: 0 for none. */
      readonly pace: number
      /** Makes its ids reproducible, for recordings. */
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
