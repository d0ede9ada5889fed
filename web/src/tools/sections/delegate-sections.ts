import { asFields, numberIn, textIn, textOfOutput } from 'dragoman/client/work-log'
import { duration } from '../../ui/moments.ts'
import { outputAs, restOf } from './rest.ts'
import type { Fact, Section } from './section.ts'
import { firstIn, layersOf, type ShownCall } from './shown-call.ts'

/** What was given to a subagent, and what it gave back. */
export function delegateSections(call: ShownCall): readonly Section[] {
  const fields = asFields(call.input)
  const task = textIn(fields, 'prompt', 'task', 'objective', 'message')
  const facts = factsOf(call)
  return [
    ...(task === undefined ? [] : [{ kind: 'markdown', title: 'Task', text: task } as const]),
    ...restOf(
      call.input,
      Object.keys(fields).filter(name => fields[name] === task),
    ),
    ...outputAs('markdown', 'Answer', textOfOutput(call.output), call.output),
    ...(facts.length > 0 ? [{ kind: 'facts', facts } as const] : []),
  ]
}

/** What agents tell of the work of their subagents. */
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
