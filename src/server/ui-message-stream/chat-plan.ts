import type { SessionId } from '../../protocol/ids.ts'
import type { Subject } from './interaction-items.ts'

/** What to stream to a client: one interaction, from its start, or after an approval. */
export interface ChatPlan {
  readonly session: SessionId
  readonly subject: Subject
  /** All of it comes after this entry. */
  readonly after: number
  /** The question up to which the client has the message already. */
  readonly continueAfter: string | null
  readonly dialect: 'portable' | 'v7'
}
