import type { ErrorCode } from '../../protocol/error.ts'
import type { PromptPart } from '../../protocol/message.ts'

/** A prompt as a person gives it. */
export interface GivenPrompt {
  /** Its name, where the caller has one; the same name never runs twice. */
  readonly id?: string
  readonly parts: readonly PromptPart[]
  /** The message that it follows; later messages are replaced. Null means the very beginning; absent, the end. */
  readonly parent?: string | null | undefined
}

/** A prompt on its way to the server. Its id is chosen here, so that sending it again runs nothing twice. */
export interface Outgoing extends GivenPrompt {
  readonly id: string
  readonly session: string
  readonly at: number
  /** `queued`: the server could not be reached yet. `refused`: the server refused it, with a reason. */
  readonly state: 'queued' | 'sending' | 'refused'
  /** The entry with which the server saved it; it stays listed a little longer, until its session shows it. */
  readonly seq: number | null
  readonly refusal: { readonly code: ErrorCode; readonly message: string } | null
}
