import { asFields, numberIn, textIn } from 'dragoman/client/work-log'
import { duration } from '../../ui/moments.ts'
import { dataSections } from './data-sections.ts'
import { outputAs, restOf } from './rest.ts'
import type { Fact, Section } from './section.ts'
import { firstIn, layersOf, type ShownCall } from './shown-call.ts'
import { subagentAnswer } from './subagent-answer.ts'

/** The task of a subagent, and its result. */
export function delegateSections(call: ShownCall): readonly Section[] {
  const fields = asFields(call.input)
  const task = textIn(fields, 'prompt', 'task', 'objective', 'message')
  const facts = factsOf(call)
  const answer = subagentAnswer(call.output)
  return [
    ...(task === undefined ? [] : [{ kind: 'markdown', title: 'Task', text: task } as const]),
    ...restOf(
      call.input,
      Object.keys(fields).filter(
        name => fields[name] === task || shownElsewhere.test(name) || fields[name] === false,
      ),
    ),
    ...outputAs('markdown', 'Answer', answer, isStates(call) ? undefined : call.output),
    ...(facts.length > 0 ? [{ kind: 'facts', facts } as const] : []),
  ]
}

/** Fields that the card's line shows, or that only programs need. */
const shownElsewhere = /^(?:description|subagent_type|senderThreadId)$/

const isStates = ({ output }: ShownCall) => asFields(output)['agentsStates'] !== undefined

/** A message to a running subagent, and its answer. */
export function helperSections(call: ShownCall): readonly Section[] {
  if (!isStates(call)) return dataSections(call)
  return [
    ...restOf(call.input, ['senderThreadId', 'receiverThreadIds']),
    ...outputAs('markdown', 'Answer', subagentAnswer(call.output), undefined),
  ]
}

/** Agents' reports about their subagents. */
function factsOf({ output }: ShownCall): readonly Fact[] {
  const layers = layersOf(output)
  const number = (...names: readonly string[]) => firstIn(layers, layer => numberIn(layer, ...names))
  const [tokens, calls, time] = [
    number('totalTokens'),
    number('totalToolUseCount'),
    number('totalDurationMs'),
  ]
  return [
    ...(tokens === undefined ? [] : [['Tokens', tokens.toLocaleString('en')] as const]),
    ...(calls === undefined ? [] : [['Tool calls', String(calls)] as const]),
    ...(time === undefined ? [] : [['Time', duration(time)] as const]),
  ]
}
