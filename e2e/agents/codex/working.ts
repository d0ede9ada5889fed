import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelRequest } from '../../../src/testing/fake-openai-responses.ts'
import { shell, type Scenarios } from './scenario.ts'
import { inOrder, lastOf, message, says } from '../openai-scenario.ts'
import { callsOf, wordsOf, type Stage } from '../stage.ts'

const asking = { approvalPolicy: 'on-request', sandbox: 'workspace-write' }
const escalated = { sandbox_permissions: 'require_escalated', justification: 'May I?' }
const isChild = ({ body }: ModelRequest) => !JSON.stringify(body['input']).includes('Send one')

/** Codex, live: tool calls. */
export const working: Scenarios = {
  'tools, one of them failing, in parallel': {
    model: inOrder(
      says(shell('call_a', 'sleep 0.3; echo fine'), shell('call_b', 'echo bad >&2; exit 3')),
      says(message('Done.')),
    ),
    async play({ open }) {
      await using stage = await open()
      const calls = callsOf(await stage.ask('Run both'))
      const [good, bad] = ['call_a', 'call_b'].map(id => calls.find(({ toolCallId }) => toolCallId === id))
      assert.equal(good?.state, 'output-available')
      assert.match(JSON.stringify(good), /fine/)
      assert.equal(bad?.state, 'output-error')
      assert.match(JSON.stringify(bad), /bad\\nExit code 3/)
    },
  },
  patch: {
    model: inOrder(
      says({
        type: 'custom-call',
        call: 'call_p',
        name: 'apply_patch',
        input: '*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch',
      }),
      says(message('Written.')),
    ),
    async play({ open, home }) {
      await using stage = await open()
      const [call] = callsOf(await stage.ask('Write'))
      assert.equal(call?.toolName, 'fileChange')
      assert.equal(readFileSync(join(home.cwd, 'new.txt'), 'utf8'), 'hello\n')
    },
  },
  'calls that Codex makes no item of': {
    model: inOrder(
      says({ type: 'call', call: 'call_x', name: 'no_such_tool', input: { a: 1 } }),
      says({
        type: 'custom-call',
        call: 'call_y',
        name: 'apply_patch',
        input: '*** Begin Patch\n*** Update File: nowhere.txt\n@@\n-a\n+b\n*** End Patch',
      }),
      says({
        type: 'call',
        call: 'call_z',
        name: 'update_plan',
        input: { plan: [{ step: 'Look', status: 'in_progress' }] },
      }),
      says(message('None of it worked.')),
    ),
    async play({ open }) {
      await using stage = await open()
      const answer = await stage.ask('Try')
      assert.deepEqual(
        callsOf(answer).map(({ toolName }) => toolName),
        ['no_such_tool', 'apply_patch', 'update_plan'],
      )
      assert.ok(answer.parts.some(part => part.type === 'data-todos'))
    },
  },
  'approval, allowed': {
    options: asking,
    model: inOrder(says(shell('call_a', 'touch allowed', escalated)), says(message('Made.'))),
    async play({ open, home }) {
      await using stage = await open()
      await approve(stage, true)
      assert.ok(existsSync(join(home.cwd, 'allowed')))
      assert.equal(callsOf(lastOf(stage))[0]?.state, 'output-available')
    },
  },
  'approval, denied': {
    options: asking,
    model: inOrder(says(shell('call_a', 'touch denied', escalated)), says(message('Then not.'))),
    async play({ open, home }) {
      await using stage = await open()
      await approve(stage, false)
      assert.ok(!existsSync(join(home.cwd, 'denied')))
      assert.equal(callsOf(lastOf(stage))[0]?.state, 'output-error')
      assert.match(wordsOf(lastOf(stage)), /Then not/)
    },
  },
  subagent: {
    model: request => {
      const asked = JSON.stringify(request.body['input'])
      if (isChild(request))
        return says(...(asked.includes('call_child') ? [message('Seen.')] : [shell('call_child', 'echo hi')]))
      if (!asked.includes('call_spawn'))
        return says({
          type: 'call',
          call: 'call_spawn',
          namespace: 'multi_agent_v1',
          name: 'spawn_agent',
          input: { message: 'Look around' },
        })
      const [, agent = ''] = /agent_id\\*":\\*"([0-9a-f-]+)/.exec(asked) ?? []
      if (asked.includes('call_wait')) return says(message('All done.'))
      const input = { targets: [agent], timeout_ms: 20_000 }
      return says({
        type: 'call',
        call: 'call_wait',
        namespace: 'multi_agent_v1',
        name: 'wait_agent',
        input,
      })
    },
    async play({ open }) {
      await using stage = await open()
      const answer = await stage.ask('Send one')
      const news = answer.parts.find(part => part.type === 'data-subagent')
      assert.equal(news?.type === 'data-subagent' && news.data.status, 'completed')
      const child = stage.messages().find(({ thread }) => thread === 'call_spawn')
      assert.ok(child)
      assert.equal(wordsOf(child.message), 'Seen.')
      assert.equal(callsOf(child.message).length, 1)
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
