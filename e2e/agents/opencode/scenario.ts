import type { Json } from '../../../src/protocol/json.ts'
import type { ModelRequest, Output } from '../../../src/testing/fake-openai-responses.ts'
import { message, says, type Scenario } from '../openai-scenario.ts'
import type { OpenCodeHome } from './home.ts'

/** Scenarios by name. */
export type Scenarios = Readonly<Record<string, Scenario<OpenCodeHome>>>

/** A tool call of the model. */
export const call = (id: string, name: string, input: Json): Output => ({
  type: 'call',
  call: id,
  name,
  input,
})

/** A command of the model. */
export const shell = (id: string, command: string): Output =>
  call(id, 'bash', { command, description: 'run a command' })

/** Whether a request is for the title of a session. */
export const asksForTitle = (body: ModelRequest['body']): boolean =>
  /title generator/i.test(JSON.stringify(body))

/** OpenCode also asks for a title of each session, which is not part of the script. */
export function besideTitles(script: Scenario<OpenCodeHome>['model']): Scenario<OpenCodeHome>['model'] {
  let before = 0
  return request => {
    if (asksForTitle(request.body)) return says(message('A title'))
    return script({ ...request, before: before++ })
  }
}
