import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { shell, type Scenarios } from './scenario.ts'
import { inOrder, lastOf, message, says, stoppedInText } from '../openai-scenario.ts'
import { callsOf, wordsOf } from '../stage.ts'

/** Codex, live: long-running commands, and how they end. */
export const lasting: Scenarios = {
  'interrupt in the middle of a text': stoppedInText,
  'interrupt in the middle of a command': {
    model: inOrder(says(shell('call_a', 'echo begun; sleep 3; touch never'))),
    async play({ open, home }) {
      await using stage = await open()
      const begun = stage.until(chunk => chunk.type === 'tool-input-available')
      await Promise.all([stage.say('Wait'), begun])
      await sleep(300)
      const cut = stage.until(chunk => chunk.type === 'finish')
      await Promise.all([stage.connection.interrupt(), cut])
      await stage.until(chunk => JSON.stringify(chunk).includes('Exit code -1'), true)
      assert.match(JSON.stringify(callsOf(lastOf(stage))), /begun/)
      await sleep(3_000)
      assert.ok(!existsSync(join(home.cwd, 'never')))
    },
  },
  'words while it works': {
    model: inOrder(says(shell('call_a', 'sleep 0.8; echo ready')), says(message('I heard both.'))),
    async play({ open, model }) {
      await using stage = await open()
      const finished = stage.until(chunk => chunk.type === 'finish')
      await Promise.all([stage.say('First'), stage.until(({ type }) => type === 'tool-input-available')])
      await stage.say('And second')
      await finished
      assert.match(JSON.stringify(model.requests.at(-1)?.body), /And second/)
      assert.equal(stage.messages().length, 1)
    },
  },
  'resume in another process': {
    model: inOrder(says(message('My number is 7.')), says(message('It was 7.'))),
    async play({ open, model }) {
      let session = ''
      {
        await using stage = await open()
        await stage.ask('Think of a number')
        session = stage.agentSession ?? ''
      }
      await using stage = await open({ resume: session })
      const answer = await stage.ask('Which one?')
      assert.equal(wordsOf(answer), 'It was 7.')
      assert.equal(stage.agentSession, session)
      assert.match(JSON.stringify(model.requests[1]?.body), /My number is 7/)
      const usage = answer.metadata?.['tokens']
      assert.deepEqual(usage, { input: 100, output: 30, cacheRead: 20, cacheWrite: 0 })
    },
  },
  fork: {
    model: inOrder(says(message('Once.')), says(message('Twice.'))),
    async play({ open, model }) {
      let session = ''
      {
        await using stage = await open()
        await stage.ask('Begin')
        session = stage.agentSession ?? ''
      }
      await using stage = await open({ options: { fork: session } })
      assert.equal(wordsOf(await stage.ask('Go on')), 'Twice.')
      assert.notEqual(stage.agentSession, session)
      assert.match(JSON.stringify(model.requests[1]?.body), /Once\./)
    },
  },
  'killed in the middle': {
    model: inOrder(says(message('Before. '), shell('call_a', 'echo here; sleep 60'))),
    async play({ open }) {
      await using stage = await open()
      await Promise.all([stage.say('Go'), stage.until(({ type }) => type === 'tool-input-available')])
      const pid = stage.connection.process
      assert.ok(pid)
      process.kill(pid, 'SIGKILL')
      assert.equal((await stage.connection.exit).signal, 'SIGKILL')
      assert.equal(wordsOf(lastOf(stage)), 'Before. ')
      await sleep(500)
      assert.deepEqual(sleepers(), [])
    },
  },
  'nothing is left behind': {
    model: inOrder(says(shell('call_a', 'sleep 61 & sleep 60'))),
    async play({ open }) {
      {
        await using stage = await open()
        await Promise.all([stage.say('Go'), stage.until(({ type }) => type === 'tool-input-available')])
        await sleep(300)
      }
      await sleep(300)
      assert.deepEqual(sleepers(), [])
    },
  },
}

/** Commands of a scenario that are still running. */
function sleepers(): readonly string[] {
  const all = execFileSync('/bin/ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  return all.filter(line => /\d+ sleep 6[01]$/.test(line.trim()))
}
