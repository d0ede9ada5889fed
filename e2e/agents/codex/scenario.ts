import type { Json } from '../../../src/protocol/json.ts'
import type { Output } from '../../../src/testing/fake-openai-responses.ts'
import type { Scenario } from '../openai-scenario.ts'
import type { CodexHome } from './home.ts'

/** Scenarios by name. */
export type Scenarios = Readonly<Record<string, Scenario<CodexHome>>>

/** A command of the model. */
export const shell = (call: string, cmd: string, more: Readonly<Record<string, Json>> = {}): Output => ({
  type: 'call',
  call,
  name: 'exec_command',
  input: { cmd, ...more },
})
