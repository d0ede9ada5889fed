import type { ForkPoint, RawMessage } from '../agent.ts'
import { parseJson } from '../kit/parse-json.ts'
import { objectsIn, textOf, fieldsOf } from './messages.ts'

/** An id that is only in the stream and not in Claude Code's transcript: of a message that was not streamed. */
const passing = /-0{11}[\da-f]$/i

/**
 * The last entry of the main conversation that an interaction left in Claude Code's transcript, if it ends with text.
 */
export function forkPoint(lines: readonly RawMessage[]): ForkPoint | null {
  for (const { from, text } of lines.toReversed()) {
    if (from !== 'agent' || !text.includes('"type":"assistant"')) continue
    const fields = fieldsOf(parseJson(text))
    if (fields?.['type'] !== 'assistant' || textOf(fields['parent_tool_use_id']) !== null) continue
    const [agentSession, last] = [textOf(fields['session_id']), textOf(fields['uuid'])]
    const content = objectsIn(fieldsOf(fields['message'])?.['content'])
    // A conversation cannot continue after a call without a result.
    const isOpen = content.some(block => textOf(block['type']) === 'tool_use')
    if (agentSession === null || last === null || isOpen || passing.test(last)) return null
    return { agentSession, last }
  }
  return null
}
