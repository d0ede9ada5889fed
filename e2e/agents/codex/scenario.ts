import type { Json } from '../../../src/protocol/json.ts'
import type { Message } from '../../../src/protocol/message.ts'
import type {
  FakeOpenAi,
  ModelAnswer,
  ModelRequest,
  Output,
} from '../../../src/testing/fake-openai-responses.ts'
import type { Stage } from '../stage.ts'
import type { CodexHome } from './home.ts'

/** Scenarios by name. */
export type Scenarios = Readonly<Record<string, Scenario>>

/** One thing that Codex must do with us, and the script of the model for it. */
export interface Scenario {
  readonly model: (request: ModelRequest) => ModelAnswer
  readonly play: (scene: Scene) => Promise<void>
  readonly options?: Json
  readonly config?: string
}

/** Where a scenario plays. */
export interface Scene {
  readonly home: CodexHome
  readonly model: FakeOpenAi
  /** Connects; again for each further process. */
  readonly open: (more?: { readonly resume?: string; readonly options?: Json }) => Promise<Stage>
}

/** A text of the model. */
export const message = (...text: readonly string[]): Output => ({ type: 'message', text })

/** A command of the model. */
export const shell = (call: string, cmd: string, more: Readonly<Record<string, Json>> = {}): Output => ({
  type: 'call',
  call,
  name: 'exec_command',
  input: { cmd, ...more },
})

/** An answer of the model. */
export const says = (...output: readonly Output[]): ModelAnswer => ({ output })

/** Answers in order; the last one for all further requests. */
export const inOrder =
  (...answers: readonly ModelAnswer[]) =>
  ({ before }: ModelRequest): ModelAnswer =>
    answers[Math.min(before, answers.length - 1)] ?? says()

/** The newest answer in the main thread. */
export function lastOf(stage: Stage): Message {
  const last = stage.messages().findLast(({ thread }) => thread === null)
  if (last === undefined) throw new Error('There is no answer.')
  return last.message
}
