import assert from 'node:assert/strict'
import { smallImage } from '../../../src/agents/scripted/small-image.ts'
import type { Scenarios } from './scenario.ts'
import { says, text } from './script.ts'
import { wordsOf } from './talk.ts'

/** Conversations, also when the model's service fails. */
export const talking: Scenarios = {
  text: {
    model: () => says(text('Good ', 'morning.')),
    async play({ open }) {
      const talk = await open()
      const answer = await talk.ask('Hello')
      assert.equal(wordsOf(answer), 'Good morning.')
      assert.equal(talk.lastEvent('interaction-ended')?.outcome, 'finished')
      assert.notEqual(await talk.agentSession(), '')
      await talk.until('what it used', ({ facts }) => (facts?.tokens.output ?? 0) > 0)
    },
  },
  thinking: {
    model: () => says({ type: 'thinking', text: 'I had better think.' }, text('Done.')),
    async play({ open }) {
      const answer = await (await open()).ask('Think')
      const thoughts = answer.parts.flatMap(part => (part.type === 'reasoning' ? [part.text] : []))
      assert.match(thoughts.join(''), /better think/)
      assert.equal(wordsOf(answer), 'Done.')
    },
  },
  image: {
    model: () => says(text('A dot.')),
    isLong: true,
    async play({ open, world }) {
      const talk = await open()
      await talk.ask([
        { type: 'text', text: 'What is it?' },
        { type: 'file', ...smallImage },
      ])
      assert.match(world.asked().join(''), /iVBOR/)
    },
  },
  'a second prompt': {
    model: ({ text: asked }) => says(text(asked.includes('number two') ? 'second' : 'first')),
    isLong: true,
    async play({ open }) {
      const talk = await open()
      assert.equal(wordsOf(await talk.ask('number one')), 'first')
      assert.equal(wordsOf(await talk.ask('number two')), 'second')
      assert.equal(talk.session.messages.get().length, 4)
    },
  },
  'long stream': {
    model: () => says(text(...Array.from({ length: 2_000 }, (_, at) => `w${at} `))),
    async play({ open }) {
      const words = wordsOf(await (await open()).ask('Much'))
      assert.equal(words, Array.from({ length: 2_000 }, (_, at) => `w${at} `).join(''))
    },
  },
  'API error': {
    model: () => ({ refuses: 'Not like this.' }),
    async play({ open }) {
      const talk = await open()
      await talk.untilEnd(await talk.say('Hello'))
      assert.equal(talk.session.status.get().status, 'failed')
      const ended = talk.lastEvent('interaction-ended')
      assert.equal(ended?.outcome, 'failed')
      assert.match(ended.reason ?? '', /Not like this\./)
    },
  },
  retry: {
    model: ({ before }) => (before === 0 ? { isBusy: true } : says(text('Now.'))),
    async play({ open }) {
      const talk = await open()
      assert.equal(wordsOf(await talk.ask('Hello')), 'Now.')
      assert.equal(talk.lastEvent('interaction-ended')?.outcome, 'finished')
    },
  },
}
