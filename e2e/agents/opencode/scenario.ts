import type { Json } from '../../../src/protocol/json.ts'
import type { Message } from '../../../src/protocol/message.ts'
import type {
  FakeOpenAi,
  ModelAnswer,
  ModelRequest,
  Output,
} from '../../../src/testing/fake-openai-responses.ts'
import type { Stage } from '../stage.ts'
import type { OpenCodeHome } from './home.ts'

/** Scenarios by name. */
export type Scenarios = Readonly<Record<string, Scenario>>

/** One thing that OpenCode must do with us, and the script of the model for it. */
export interface Scenario {
  readonly model: (request: ModelRequest) => ModelAnswer
  readonly play: (scene: Scene) => Promise<void>
  readonly options?: Json
}

/** Where a scenario plays. */
export interface Scene {
  readonly home: OpenCodeHome
  readonly model: FakeOpenAi
  /** Connects; again for each further connection. */
  readonly open: (more?: { readonly resume?: string; readonly options?: Json }) => Promise<Stage>
}

/** A text of the model. */
export const message = (...text: readonly string[]): Output => ({ type: 'message', text })

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

/** An answer of the model. */
export const says = (...output: readonly Output[]): ModelAnswer => ({ output })

/** Answers in order; the last one for all further requests. */
export const inOrder =
  (...answers: readonly ModelAnswer[]) =>
  ({ before }: ModelRequest): ModelAnswer =>
    answers[Math.min(before, answers.length - 1)] ?? says()

/** OpenCode also asks for a title of each session, which is no part of the script. */
export function besideTitles(script: Scenario['model']): Scenario['model'] {
  let before = 0
  return request => {
    if (/title generator/i.test(JSON.stringify(request.body))) return says(message('A title'))
    return script({ ...request, before: before++ })
  }
}

/** The newest answer in the main thread. */
export function lastOf(stage: Stage): Message {
  const last = stage.messages().findLast(({ thread }) => thread === null)
  if (last === undefined) throw new Error('There is no answer.')
  return last.message
}
