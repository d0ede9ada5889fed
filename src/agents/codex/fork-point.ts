import type { ForkPoint, RawMessage } from '../agent.ts'
import { asObject, objectOf, textOf, type Fields } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'

const prompts: ReadonlySet<string> = new Set(['turn/start', 'turn/steer'])

/** The last turn of an interaction in the thread that got its prompt. */
export function forkPoint(lines: readonly RawMessage[]): ForkPoint | null {
  const asked = lines.findLast(
    ({ from, text }) => from === 'host' && prompts.has(textOf(read(text), 'method')),
  )
  const agentSession = asked ? textOf(objectOf(read(asked.text), 'params'), 'threadId') : ''
  const ends = lines.flatMap(({ from, text, cut }) => {
    if (from !== 'agent' || cut === true || !text.includes('"turn/completed"')) return []
    const line = read(text)
    const params = objectOf(line, 'params')
    const isOurs = textOf(line, 'method') === 'turn/completed' && textOf(params, 'threadId') === agentSession
    return isOurs ? [textOf(objectOf(params, 'turn'), 'id')] : []
  })
  const last = ends.at(-1) ?? ''
  return agentSession === '' || last === '' ? null : { agentSession, last }
}

const read = (text: string): Fields => asObject(parseJson(text))
