import type { Command } from '../../protocol/command.ts'
import type { ApprovalId, InteractionId, ManipulationId, PromptId, SessionId } from '../../protocol/ids.ts'

/** The result of each command. `seq` is the entry that it saved, so that a caller can follow from there. */
interface Replies {
  readonly create: { readonly session: SessionId; readonly seq: number }
  /** `interaction` is null when the prompt waits in the queue. */
  readonly prompt: {
    readonly prompt: PromptId
    readonly interaction: InteractionId | null
    readonly queued: boolean
    readonly repeated: boolean
    readonly seq: number
  }
  readonly withdraw: { readonly prompt: PromptId; readonly seq: number }
  /** How many held prompts were continued. */
  readonly continue: { readonly prompts: number }
  /** The interaction that is stopped; null when nothing runs. `saved` is false when it is stopped but not saved yet. */
  readonly interrupt: { readonly interaction: InteractionId | null; readonly saved: boolean }
  readonly answer: { readonly approval: ApprovalId; readonly seq: number }
  readonly revoke: { readonly seq: number }
  /** The new session. */
  readonly branch: { readonly session: SessionId; readonly seq: number }
  /** `seq` is null when nothing changed; also below. */
  readonly assign: { readonly seq: number | null }
  readonly configure: { readonly seq: number | null }
  readonly rename: { readonly seq: number }
  readonly archive: { readonly seq: number | null }
  readonly restore: { readonly seq: number | null }
  readonly pin: { readonly seq: number | null }
  readonly unpin: { readonly seq: number | null }
  readonly delete: { readonly seq: number }
  readonly undelete: { readonly seq: number | null }
  readonly 'set-validity': { readonly seq: number }
  /** The manipulations in the order of the changes, with those that followed from them. */
  readonly manipulate: { readonly manipulations: readonly ManipulationId[]; readonly seq: number }
  /** `rollback` is null when everything was already undone. */
  readonly 'roll-back': {
    readonly rollback: ManipulationId | null
    readonly manipulations: readonly ManipulationId[]
    readonly seq: number | null
  }
  /** The ids of the interactions in this session, without those that were merged before. */
  readonly merge: { readonly interactions: readonly InteractionId[]; readonly seq: number | null }
}

/** The reply to a command. */
export type Reply<Type extends Command['type'] = Command['type']> = Replies[Type]
