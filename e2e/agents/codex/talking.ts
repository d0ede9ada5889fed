import assert from 'node:assert/strict'
import { smallImage } from '../../../src/agents/scripted/small-image.ts'
import type { Scenarios } from './scenario.ts'
import { answerGreen, inOrder, lastOf, message, says } from '../openai-scenario.ts'
import { callsOf, wordsOf } from '../stage.ts'

/** Codex, live: conversations. */
export const talking: Scenarios = {
  text: {
    model: inOrder(says(message('Good ', 'morning.'))),
    async play({ open }) {
      await using stage = await open()
      assert.equal(wordsOf(await stage.ask('Hello')), 'Good morning.')
      assert.match(stage.agentSession ?? '', /^[0-9a-f-]{36}$/)
    },
  },
  thinking: {
    model: inOrder(says({ type: 'reasoning', summary: [['**One**'], ['**', 'Two**']] }, message('So.'))),
    async play({ open }) {
      await using stage = await open()
      const { parts } = await stage.ask('Think')
      const thoughts = parts.flatMap(part => (part.type === 'reasoning' ? [part.text] : []))
      assert.deepEqual(thoughts, ['**One**', '**Two**'])
    },
  },
  question: {
    model: inOrder(
      says({
        type: 'call',
        call: 'call_q',
        name: 'request_user_input',
        input: {
          questions: [
            {
              id: 'colour',
              header: 'Colour',
              question: 'Which colour?',
              options: [
                { label: 'Green', description: 'calm' },
                { label: 'Red', description: 'loud' },
              ],
            },
          ],
        },
      }),
      says(message('Green it is.')),
    ),
    config: 'default_mode_request_user_input = true',
    async play(scene) {
      await using stage = await answerGreen(scene)
      assert.match(JSON.stringify(callsOf(lastOf(stage))[0]), /"output":.*Green/)
    },
  },
  image: {
    model: inOrder(says(message('I see it.'))),
    async play({ open, model }) {
      await using stage = await open()
      await stage.ask([
        { type: 'text', text: 'What is it?' },
        { type: 'file', ...smallImage },
      ])
      assert.match(JSON.stringify(model.requests[0]?.body), /input_image/)
    },
  },
  'a long stream': {
    model: inOrder(says(message(...Array.from({ length: 3_000 }, (_, index) => `w${index} `)))),
    async play({ open }) {
      await using stage = await open()
      const words = wordsOf(await stage.ask('Much'))
      assert.ok(words.startsWith('w0 w1 ') && words.endsWith('w2999 '))
    },
  },
  'API error': {
    model: inOrder({ status: 400, body: { error: { message: 'Not like this.', type: 'invalid_request' } } }),
    async play({ open }) {
      await using stage = await open()
      const { metadata } = await stage.ask('Hello')
      assert.equal(metadata?.['reason'], 'failed')
      assert.match(JSON.stringify(metadata?.['error']), /"message":"Not like this\."/)
    },
  },
  'retry after a broken stream': {
    model: inOrder(
      says({ type: 'message', text: ['This is cut', { end: 'drop' }] }),
      says(message('This is whole.')),
    ),
    async play({ open }) {
      await using stage = await open()
      const answer = await stage.ask('Hello')
      assert.equal(wordsOf(answer), 'This is whole.')
      assert.ok(answer.parts.some(part => part.type === 'data-notice'))
    },
  },
}
