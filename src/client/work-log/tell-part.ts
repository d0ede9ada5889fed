import { resultOf } from '../../projections/work-log/result.ts'
import { subjectOf } from '../../projections/work-log/subject.ts'
import type { WorkPair } from '../../projections/work-log/work-facts.ts'
import { entryOf, type WorkLogEntry } from '../../projections/work-log/work-log-entry.ts'
import type { ToolPart } from '../../protocol/message.ts'
import { resultInPart } from './pair-of-part.ts'

/** Where a call was made, as far as that is known. */
export interface CallPlace {
  readonly agent: string | null
  readonly cwd: string | null
}

/** The work log line of a call, and its source. */
export interface ToldPart
  extends
    Pick<WorkPair, 'subject' | 'result'>,
    Pick<WorkLogEntry, 'family' | 'sentence' | 'outcome' | 'approval'> {}

/** A tool call in a message, in the words of the work log; how long it took is left out. */
export function tellPart(part: ToolPart, { agent, cwd }: CallPlace): ToldPart {
  const subject = subjectOf({ tool: part.toolName, input: part.input ?? null, agent, cwd })
  const result = resultOf(resultInPart(part))
  const asked = 'approval' in part ? part.approval : undefined
  const pair: WorkPair = {
    toolCallId: part.toolCallId,
    message: '',
    thread: null,
    interaction: null,
    start: null,
    ready: null,
    end: null,
    closed: false,
    approval: asked === undefined ? null : { asked: null, answered: null, approved: asked.approved ?? null },
    duration: null,
    subject,
    result,
  }
  const { family, sentence, outcome, approval } = entryOf(pair)
  return { subject, result, family, sentence, outcome, approval }
}
