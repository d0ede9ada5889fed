import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Scenarios } from './scenario.ts'
import { callThenSay, run, says, text } from './script.ts'
import { callsOf, wordsOf } from './talk.ts'

/** The same input with another command, whatever the agent's name for it is. */
const withCommand = (input: unknown, command: string) => {
  const fields = input as Record<string, string>
  const name = Object.keys(fields).find(key => key === 'command' || key === 'cmd') ?? 'command'
  return { ...fields, [name]: command }
}

/** Tool calls, and the answers of a person to them. */
export const working: Scenarios = {
  'tool ok': {
    model: callThenSay([text('I look. '), run('a', 'echo fine')], 'Done.'),
    async play({ open }) {
      const answer = await (await open()).ask('Do it')
      const [call, ...more] = callsOf(answer)
      assert.equal(more.length, 0)
      assert.equal(call?.state, 'output-available')
      assert.match(JSON.stringify(call.output), /fine/)
      assert.equal(wordsOf(answer), 'I look. Done.')
    },
  },
  'tool failing': {
    model: callThenSay([{ type: 'fail', id: 'a' }], 'It failed.'),
    async play({ open }) {
      const answer = await (await open()).ask('Do it')
      assert.deepEqual(
        callsOf(answer).map(({ state }) => state),
        ['output-error'],
      )
      assert.equal(wordsOf(answer), 'It failed.')
    },
  },
  'parallel tools': {
    model: callThenSay([run('a', 'echo one'), run('b', 'echo two'), { type: 'fail', id: 'c' }], 'All.'),
    async play({ open }) {
      const answer = await (await open()).ask('Do all')
      const states = callsOf(answer).map(({ state }) => state)
      assert.deepEqual(states.toSorted(), ['output-available', 'output-available', 'output-error'])
      for (const word of ['one', 'two']) assert.match(JSON.stringify(callsOf(answer)), new RegExp(word))
      assert.equal(wordsOf(answer), 'All.')
    },
  },
  'approval, allowed': {
    asking: true,
    model: callThenSay([run('a', 'touch made && echo yes')], 'Made.'),
    async play({ open, world }) {
      const talk = await open()
      const at = await talk.say('Make it')
      await talk.until('it waits', ({ view }) => view.status.status === 'waiting')
      assert.ok(!existsSync(join(world.cwd, 'made')))
      await talk.answer({ approved: true })
      await talk.untilEnd(at)
      assert.ok(existsSync(join(world.cwd, 'made')))
      const [call] = callsOf(talk.last())
      assert.equal(call?.state, 'output-available')
      assert.match(JSON.stringify(call.output), /yes/)
      assert.equal(wordsOf(talk.last()), 'Made.')
    },
  },
  'approval, denied': {
    asking: true,
    model: callThenSay([run('a', 'touch made')], 'Then not.'),
    async play({ open, world }) {
      const talk = await open()
      const at = await talk.say('Make it')
      await talk.answer({ approved: false, reason: 'Not today.' })
      await talk.untilEnd(at)
      assert.ok(!existsSync(join(world.cwd, 'made')))
      assert.match(callsOf(talk.last())[0]?.state ?? '', /output-(error|denied)/)
      assert.equal(wordsOf(talk.last()), 'Then not.')
    },
  },
  'approval, changed input': {
    asking: true,
    model: callThenSay([run('a', 'touch made')], 'Done.'),
    async play({ open, world }) {
      const talk = await open()
      const at = await talk.say('Make it')
      await talk.until('a question', () => talk.session.pendingApprovals.get().length > 0)
      const input = withCommand(talk.session.pendingApprovals.get()[0]?.input, 'touch changed')
      await talk.answer({ approved: true, input })
      await talk.untilEnd(at)
      assert.ok(existsSync(join(world.cwd, 'changed')))
      assert.ok(!existsSync(join(world.cwd, 'made')))
      assert.match(JSON.stringify(callsOf(talk.last())[0]?.input), /touch changed/)
    },
  },
  'edited input: the original never runs': {
    asking: true,
    model: callThenSay([run('a', 'touch made')], 'Done.'),
    async play({ open, world }) {
      const talk = await open()
      const at = await talk.say('Make it')
      await talk.until('a question', () => talk.session.pendingApprovals.get().length > 0)
      const input = withCommand(talk.session.pendingApprovals.get()[0]?.input, 'touch changed')
      // An agent that cannot take another input refuses it, and then waits for another answer.
      await talk.answer({ approved: true, input }).catch(() => talk.answer({ approved: false }))
      await talk.untilEnd(at)
      assert.ok(!existsSync(join(world.cwd, 'made')))
    },
  },
  subagent: {
    model({ text: asked, results }) {
      if (!asked.includes('Send one')) return says(text('The helper speaks.'))
      return results === 0 ? says({ type: 'send', id: 'a', task: 'Look around' }) : says(text('All done.'))
    },
    async play({ open }) {
      const talk = await open()
      const answer = await talk.ask('Send one')
      assert.equal(wordsOf(answer), 'All done.')
      const report = answer.parts.find(part => part.type === 'data-subagent')
      assert.equal(report?.data.status, 'completed')
      const thread = callsOf(answer)[0]?.toolCallId ?? ''
      const said = talk.session.thread(thread).get()
      assert.match(said.map(wordsOf).join(''), /The helper speaks\./)
    },
  },
}
