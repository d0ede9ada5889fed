import type { SessionId } from '../../protocol/ids.ts'
import type { Subject } from './interaction-items.ts'
import type { Dialect } from './item.ts'

/** What to stream to a client: one interaction, from its start, or after an approval. */
export interface ChatPlan {
  readonly session: SessionId
  readonly subject: Subject
  /** The interaction's chunks come after this entry. */
  readonly after: number
  /** The approval up to which the client already has the message. */
  readonly continueAfter: string | null
  readonly dialect: Dialect
}
