import type { ForkPoint, RawMessage } from '../agent.ts'
import { parseJson } from '../kit/parse-json.ts'
import { allWordsOf, textOf, wordsOf } from './messages.ts'

/** A name that only stands in the stream and not in Claude Code's own transcript: of a message that was not streamed. */
const passing = /-0{11}[\da-f]$/i

/** The last entry of the main conversation that an interaction left in Claude Code's transcript, if it ends with words. */
export function forkPoint(lines: readonly RawMessage[]): ForkPoint | null {
  for (const { from, text } of lines.toReversed()) {
    if (from !== 'agent' || !text.includes('"type":"assistant"')) continue
    const words = wordsOf(parseJson(text))
    if (words?.['type'] !== 'assistant' || textOf(words['parent_tool_use_id']) !== null) continue
    const [agentSession, last] = [textOf(words['session_id']), textOf(words['uuid'])]
    const content = allWordsOf(wordsOf(words['message'])?.['content'])
    // A call without its result cannot be gone on from.
    const isOpen = content.some(block => textOf(block['type']) === 'tool_use')
    if (agentSession === null || last === null || isOpen || passing.test(last)) return null
    return { agentSession, last }
  }
  return null
}
