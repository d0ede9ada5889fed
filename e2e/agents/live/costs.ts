import assert from 'node:assert/strict'
import type { Scenarios } from './scenario.ts'
import { run, says, text, type Script } from './script.ts'
import { wordsOf } from './talk.ts'

/** A busy machine takes long to start an agent. */
const resumedWithin = 100_000

/** The subagent works for longer than the first answer, and reports during the second answer. */
const helped: Script = ({ text: asked, results }) => {
  if (asked.includes('Help me') && !asked.includes('Send one'))
    return results === 0 ? says(run('b', 'sleep 2; echo found')) : says(text('I found it.'))
  if (asked.includes('task-notification')) return says(text('The helper reported.'))
  if (asked.includes('Meanwhile')) return says(text('One moment. ', { wait: 4000 }, 'Here you are.'))
  return results === 0
    ? says({ type: 'send', id: 'a', task: 'Help me', background: true })
    : says(text('It is on its way.'))
}

/** The usage of sessions. The sums themselves are checked after every scenario, in `check-sums.ts`. */
export const costs: Scenarios = {
  'count a subagent in the background': {
    model: helped,
    async play({ open }) {
      const talk = await open()
      await talk.ask('Send one')
      await talk.ask('Meanwhile')
      await talk.untilSaid('The helper reported.')
      await talk.until('nothing runs', ({ view }) => view.status.running === null)
    },
  },
  'count over restarts of the server and the agent': {
    model: ({ before }) => says(text(`Answer ${before}.`)),
    async play({ open, restart }) {
      const talk = await open()
      await talk.ask('One')
      await talk.ask('Two')
      await restart()
      await talk.until('the client is back', ({ phase }) => phase === 'live')
      await talk.ask('Three', resumedWithin)
      const { connection, process: pid } = talk.lastEvent('agent-connected') ?? {}
      process.kill(pid ?? 0, 'SIGKILL')
      await talk.until('the agent is gone', () => talk.lastEvent('agent-exited')?.connection === connection)
      assert.match(wordsOf(await talk.ask('Four', resumedWithin)), /^Answer/)
    },
  },
}
