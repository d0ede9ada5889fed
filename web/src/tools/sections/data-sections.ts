import { asFields, textIn, textOfOutput, type Fields } from 'dragoman/client/work-log'
import { outputAs, restOf } from './rest.ts'
import type { Section } from './section.ts'
import type { ShownCall } from './shown-call.ts'

/** An unknown tool: its input and its output. */
export function dataSections(call: ShownCall): readonly Section[] {
  const input = asFields(call.input)
  const isPlain = Object.values(input).every(value => typeof value !== 'object')
  const isDescribed = isPlain || textIn(input, 'title') !== undefined
  const isNothing = call.input === undefined || call.input === null || Object.keys(input).length === 0
  const whole: readonly Section[] = isNothing
    ? []
    : [{ kind: 'data', title: 'Input', value: call.input ?? null }]
  return [
    ...(isDescribed || typeof call.input === 'string' ? withTitle(input, restOf(call.input, [])) : whole),
    ...outputAs('text', 'Output', textOfOutput(call.output), call.output),
  ]
}

/** The agent's own title, where there is nothing else. */
function withTitle(input: Fields, rest: readonly Section[]): readonly Section[] {
  const title = textIn(input, 'title')
  return rest.length > 0 || title === undefined ? rest : [{ kind: 'facts', facts: [['title', title]] }]
}
