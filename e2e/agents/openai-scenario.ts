import assert from 'node:assert/strict'
import type { Json } from '../../src/protocol/json.ts'
import type { Message } from '../../src/protocol/message.ts'
import type {
  FakeOpenAi,
  ModelAnswer,
  ModelRequest,
  Output,
} from '../../src/testing/fake-openai-responses.ts'
import { wordsOf, type Stage } from './stage.ts'

/** One scenario with an agent on OpenAI's model, and the script of its model. */
export interface Scenario<Home> {
  readonly model: (request: ModelRequest) => ModelAnswer
  readonly play: (scene: Scene<Home>) => Promise<void>
  readonly options?: Json
  readonly config?: string
}

/** The setup of a scenario. */
export interface Scene<Home> {
  readonly home: Home
  readonly model: FakeOpenAi
  /** Connects; again for each further connection. */
  readonly open: (more?: { readonly resume?: string; readonly options?: Json }) => Promise<Stage>
}

/** A text of the model. */
export const message = (...text: readonly string[]): Output => ({ type: 'message', text })

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

/** Stopped in the middle of a text, it keeps the text, and continues with the next prompt. */
export const stoppedInText: Scenario<unknown> = {
  model: inOrder(
    says({ type: 'message', text: ['One ', 'two ', { end: 'hang' }] }),
    says(message('Here again.')),
  ),
  async play({ open }) {
    await using stage = await open()
    const cut = stage.until(chunk => chunk.type === 'finish')
    const halfway = stage.until(chunk => chunk.type === 'text-delta' && chunk.delta === 'two ')
    await Promise.all([stage.say('Count'), halfway])
    await Promise.all([stage.connection.interrupt(), cut])
    assert.equal(wordsOf(lastOf(stage)), 'One two ')
    assert.equal(lastOf(stage).metadata?.['reason'], 'interrupted')
    assert.equal(wordsOf(await stage.ask('Still there?')), 'Here again.')
  },
}

/** Asks a person with a tool, and continues with the answer. */
export async function answerGreen({ open, model }: Scene<unknown>): Promise<Stage> {
  const stage = await open()
  const asked = stage.until(chunk => chunk.type === 'tool-approval-request')
  const finished = stage.until(chunk => chunk.type === 'finish')
  await stage.say('Ask me')
  const question = await Promise.race([asked, finished])
  assert.equal(question.type, 'tool-approval-request')
  const approval = question.type === 'tool-approval-request' ? question.approvalId : ''
  await stage.answer(approval, true, { answers: { 'Which colour?': 'Green' } })
  await finished
  assert.match(JSON.stringify(model.requests.at(-1)?.body), /Green/)
  return stage
}
