import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelRequest } from '../../../src/testing/fake-openai-responses.ts'
import { callsOf, wordsOf, type Stage } from '../stage.ts'
import { call, shell, type Scenarios } from './scenario.ts'
import { inOrder, lastOf, message, says, stoppedInText } from '../openai-scenario.ts'

const asking = { permission: [{ permission: 'bash', pattern: '*', action: 'ask' }] }
const isChild = ({ body }: ModelRequest) => !JSON.stringify(body['input']).includes('Send one')

/** OpenCode, live: tool calls, and how they end. */
export const working: Scenarios = {
  'tools, one of them failing, in parallel': {
    model: inOrder(
      says(shell('call_a', 'echo bad; exit 3'), call('call_b', 'read', { filePath: '/nowhere/at/all' })),
      says(message('Done.')),
    ),
    async play({ open }) {
      await using stage = await open()
      const calls = callsOf(await stage.ask('Run both'))
      const [command, read] = ['call_a', 'call_b'].map(id =>
        calls.find(({ toolCallId }) => toolCallId === id),
      )
      assert.equal(command?.state, 'output-available')
      assert.match(JSON.stringify(command), /"exit":3/)
      assert.equal(read?.state, 'output-error')
    },
  },
  'approval, allowed': {
    options: asking,
    model: inOrder(says(shell('call_a', 'touch allowed')), says(message('Made.'))),
    async play({ open, home }) {
      await using stage = await open()
      await approve(stage, true)
      assert.ok(existsSync(join(home.cwd, 'allowed')))
      assert.equal(callsOf(lastOf(stage))[0]?.state, 'output-available')
    },
  },
  'approval, denied': {
    options: asking,
    model: inOrder(says(shell('call_a', 'touch denied')), says(message('Then not.'))),
    async play({ open, home }) {
      await using stage = await open()
      await approve(stage, false)
      assert.ok(!existsSync(join(home.cwd, 'denied')))
      assert.equal(callsOf(lastOf(stage))[0]?.state, 'output-error')
    },
  },
  subagent: {
    model: request => {
      const asked = JSON.stringify(request.body['input'])
      if (isChild(request))
        return says(...(asked.includes('call_child') ? [message('Seen.')] : [shell('call_child', 'echo hi')]))
      if (asked.includes('call_task')) return says(message('All done.'))
      const input = { description: 'look', prompt: 'Look around', subagent_type: 'general' }
      return says(call('call_task', 'task', input))
    },
    async play({ open }) {
      await using stage = await open()
      const answer = await stage.ask('Send one')
      const news = answer.parts.find(part => part.type === 'data-subagent')
      assert.equal(news?.type === 'data-subagent' && news.data.status, 'completed')
      const child = stage.messages().find(({ thread }) => thread === 'call_task')
      assert.ok(child)
      assert.equal(wordsOf(child.message), 'Seen.')
    },
  },
  'interrupt in the middle of a text': stoppedInText,
  'interrupt in the middle of a command': {
    model: inOrder(says(shell('call_a', 'echo begun; sleep 3; touch never'))),
    async play({ open, home }) {
      await using stage = await open()
      await Promise.all([stage.say('Wait'), stage.until(chunk => JSON.stringify(chunk).includes('"begun'))])
      const cut = stage.until(chunk => chunk.type === 'finish')
      await Promise.all([stage.connection.interrupt(), cut])
      await sleep(3_500)
      assert.match(JSON.stringify(callsOf(lastOf(stage))), /begun/)
      assert.ok(!existsSync(join(home.cwd, 'never')))
    },
  },
  'resume on another connection': {
    model: inOrder(says(message('My number is 7.')), says(message('It was 7.'))),
    async play({ open, model }) {
      let session = ''
      {
        await using stage = await open()
        await stage.ask('Think of a number')
        session = stage.agentSession ?? ''
      }
      await using stage = await open({ resume: session })
      assert.equal(wordsOf(await stage.ask('Which one?')), 'It was 7.')
      assert.equal(stage.agentSession, session)
      assert.match(JSON.stringify(model.requests.at(-1)?.body), /My number is 7/)
    },
  },
  fork: {
    model: inOrder(says(message('Once.')), says(message('Twice.'))),
    async play({ open, model }) {
      await using first = await open()
      await first.ask('Begin')
      const session = first.agentSession ?? ''
      await using stage = await open({ options: { fork: session } })
      assert.equal(wordsOf(await stage.ask('Go on')), 'Twice.')
      assert.notEqual(stage.agentSession, session)
      assert.match(JSON.stringify(model.requests.map(({ body }) => body)), /Once\./)
      assert.equal(first.connection.process, stage.connection.process)
      assert.equal(first.messages().length, 1)
    },
  },
  'killed in the middle': {
    model: inOrder(says(message('Before. '), shell('call_a', 'echo here; sleep 90'))),
    async play({ open }) {
      await using stage = await open()
      await Promise.all([stage.say('Go'), stage.until(chunk => JSON.stringify(chunk).includes('"here'))])
      const pid = stage.connection.process
      assert.ok(pid)
      process.kill(pid, 'SIGKILL')
      assert.equal((await stage.connection.exit).signal, 'SIGKILL')
      await sleep(1_000)
      assert.equal(wordsOf(lastOf(stage)), 'Before. ')
      assert.deepEqual(sleepers(), [])
    },
  },
  'nothing is left behind': {
    model: inOrder(says(shell('call_a', 'sleep 91 & echo here; sleep 90'))),
    async play({ open }) {
      {
        await using stage = await open()
        await Promise.all([stage.say('Go'), stage.until(chunk => JSON.stringify(chunk).includes('"here'))])
      }
      await sleep(300)
      assert.deepEqual(sleepers(), [])
    },
  },
}

async function approve(stage: Stage, approved: boolean): Promise<void> {
  const asked = stage.until(chunk => chunk.type === 'tool-approval-request')
  const finished = stage.until(chunk => chunk.type === 'finish')
  const [question] = await Promise.all([asked, stage.say('Do it')])
  if (question.type === 'tool-approval-request') await stage.answer(question.approvalId, approved)
  await finished
}

/** Commands of a scenario that are still running. */
function sleepers(): readonly string[] {
  const all = execFileSync('/bin/ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  return all.filter(line => /\d+ sleep 9[01]$/.test(line.trim()))
}
