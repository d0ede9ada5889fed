import assert from 'node:assert/strict'
import { smallImage } from '../../../src/agents/scripted/small-image.ts'
import { callsOf, wordsOf } from '../stage.ts'
import { call, type Scenarios } from './scenario.ts'
import { answerGreen, inOrder, lastOf, message, says } from '../openai-scenario.ts'

/** OpenCode, live: conversations. */
export const talking: Scenarios = {
  text: {
    model: inOrder(says(message('Good ', 'morning.'))),
    async play({ open }) {
      await using stage = await open()
      const answer = await stage.ask('Hello')
      assert.equal(wordsOf(answer), 'Good morning.')
      assert.match(stage.agentSession ?? '', /^ses_/)
      assert.deepEqual(answer.metadata?.['tokens'], { input: 100, output: 30, cacheRead: 20, cacheWrite: 0 })
      assert.equal(answer.metadata['cost'], 0.000162)
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
      says(
        call('call_q', 'question', {
          questions: [
            {
              question: 'Which colour?',
              header: 'Colour',
              options: [
                { label: 'Green', description: 'calm' },
                { label: 'Red', description: 'loud' },
              ],
            },
          ],
        }),
      ),
      says(message('Green it is.')),
    ),
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
      assert.match(JSON.stringify(model.requests.map(({ body }) => body)), /input_image/)
    },
  },
  'a long stream': {
    model: inOrder(says(message(...Array.from({ length: 2_000 }, (_, index) => `w${index} `)))),
    async play({ open }) {
      await using stage = await open()
      const words = wordsOf(await stage.ask('Much'))
      assert.ok(words.startsWith('w0 w1 ') && words.endsWith('w1999 '))
    },
  },
  'API error': {
    model: inOrder({ status: 400, body: { error: { message: 'Not like this.', type: 'invalid_request' } } }),
    async play({ open }) {
      await using stage = await open()
      const { metadata } = await stage.ask('Hello')
      assert.equal(metadata?.['reason'], 'failed')
      assert.match(JSON.stringify(metadata['error']), /Not like this\./)
    },
  },
  'retry after an overload': {
    model: inOrder(
      { status: 429, body: { error: { message: 'Too much.' } }, headers: { 'retry-after-ms': '200' } },
      says(message('Now.')),
    ),
    async play({ open }) {
      await using stage = await open()
      const answer = await stage.ask('Hello')
      assert.equal(wordsOf(answer), 'Now.')
      assert.ok(answer.parts.some(part => part.type === 'data-notice'))
    },
  },
}
