import type { WorkResult, WorkSubject } from '../projections/work-log/work-facts.ts'
import type { Thread } from '../protocol/chunk.ts'
import type { SessionId } from '../protocol/ids.ts'

/** Which tool call of a session. */
export interface WorkPlace {
  readonly session: SessionId
  readonly thread: Thread
  readonly message: string
  readonly call: string
}

/** When and where a call began: the place among all that its entry tells. */
export interface WorkBeginning extends WorkPlace {
  readonly interaction: string | null
  readonly agent: string
  readonly subject: WorkSubject
  readonly seq: number
  readonly at: number
  readonly index: number
}

/** What an entry changes in the table of tool calls. Doing a change again changes nothing more. */
export type WorkChange =
  | ({ readonly type: 'work-began'; readonly ready: boolean } & WorkBeginning)
  | ({
      readonly type: 'work-asked'
      readonly approval: string
      readonly seq: number
      readonly at: number
    } & WorkPlace)
  | {
      readonly type: 'work-answered'
      readonly session: SessionId
      readonly approval: string
      readonly approved: boolean
      /** Where the answer changed the input. */
      readonly subject: WorkSubject | null
      readonly seq: number
      readonly at: number
    }
  | ({
      readonly type: 'work-ended'
      readonly result: WorkResult
      /** Tells whether the same result is told again. */
      readonly mark: string
      /** Where the end tells what the call was given. */
      readonly subject: WorkSubject | null
      readonly closed: boolean
      readonly seq: number
      readonly at: number
    } & WorkPlace)
  | ({ readonly type: 'work-forgotten'; readonly seq: number } & WorkPlace)
