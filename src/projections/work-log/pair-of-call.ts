import type { ToolCall } from '../tool-calls.ts'
import { resultOf } from './result.ts'
import { subjectOf } from './subject.ts'
import type { WorkPair } from './work-facts.ts'

/** A tool call with only what the work log says of it. */
export function pairOfCall(call: ToolCall): WorkPair {
  const { toolCallId, message, thread, interaction, start, ready, end, closed, approval, duration } = call
  const place = { toolCallId, message, thread, interaction, start, ready, end, closed, approval, duration }
  return { ...place, subject: subjectOf(call), result: resultOf(call) }
}
