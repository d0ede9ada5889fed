import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scenarios } from './scenario.ts'
import { callThenSay, run, says, text } from './script.ts'
import { wordsOf } from './talk.ts'

/** Lines of many megabytes go through the program, its protocol and the server. */
const patienceMs = 240_000

/** Numbers, since some agents end an answer that repeats itself. */
const long = Array.from({ length: 2_700_000 }, (_, at) => at).join(' ')

/** Where agents keep their sessions, below the home folder. */
const histories = ['.claude/projects', '.codex/sessions', '.local/share/opencode', '.gemini/tmp']

/** Cases that lost a prompt, or left the session waiting for ever. */
export const trusting: Scenarios = {
  'a line of 20 MB that ends the answer': {
    isLong: true,
    model: () => says(text(long)),
    async play({ open }) {
      const talk = await open()
      const answer = wordsOf(await talk.ask('Long', patienceMs))
      assert.equal(talk.lastEvent('interaction-ended')?.outcome, 'finished')
      assert.equal(answer.slice(0, 10_000), long.slice(0, 10_000))
      if (answer !== long) assert.match(answer, /MB cut here by Dragoman/)
    },
  },
  'a permission request of 5 MB': {
    isLong: true,
    asking: true,
    model: callThenSay([run('a', `echo ${'x'.repeat(5_000_000)} > big`)], 'It was denied.'),
    async play({ open, world }) {
      const talk = await open()
      assert.equal(wordsOf(await talk.ask('Write', patienceMs)), 'It was denied.')
      assert.equal(existsSync(join(world.cwd, 'big')), false)
    },
  },
  'a session that the agent has lost': {
    model: ({ text: asked }) =>
      says(text(asked.includes('I will remember heron') ? 'It was heron.' : 'I will remember heron.')),
    async play({ open, restart, world }) {
      const talk = await open()
      await talk.ask('Remember heron')
      const before = await talk.agentSession()
      await restart(() => Promise.all(histories.map(each => forget(join(world.home, each)))))
      await talk.until('the client is back', ({ phase }) => phase === 'live')
      assert.equal(wordsOf(await talk.ask('Which one?', patienceMs)), 'It was heron.')
      assert.equal(talk.lastEvent('conversation-handed-over')?.lost, before)
    },
  },
}

const forget = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 5 })
