import { equal, match, notEqual, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { claudeCode } from '../../../src/agents/claude-code/index.ts'
import type { Block, ModelRequest } from '../../../src/testing/fake-anthropic.ts'
import { setStage, type Talk } from './stage.ts'
import { says, textIn } from './words.ts'

function sessionOf({ said }: Talk): string {
  const session = said
    .flatMap(({ chunk }) => (chunk.type === 'data-session' ? [chunk.data.agentSession] : []))
    .at(-1)
  if (typeof session !== 'string') throw new Error('It did not name its session.')
  return session
}

const sleeping = (seconds: number): Block => ({
  type: 'call',
  call: 'toolu_Sleep',
  name: 'Bash',
  input: { command: `mkdir -p w; sleep ${seconds}; echo waited`, description: 'Wait' },
})
const sleepThenTalk = (seconds: number) => (request: ModelRequest) =>
  request.results === 0 ? { blocks: [sleeping(seconds)] } : says('And now?')

const isRunning = (pattern: string) => {
  try {
    return execFileSync('/usr/bin/pgrep', ['-f', pattern], { encoding: 'utf8' }).trim() !== ''
  } catch {
    return false
  }
}

/** How answers and connections end, and start again. */
export const ends: Readonly<Record<string, () => Promise<void>>> = {
  async 'interrupted in the middle of words, then on'() {
    await using stage = await setStage(({ last }) =>
      last.includes('Go on.') ? says('On we go.') : says('Once upon ', 'a time ', { end: 'never' }),
    )
    const talk = await stage.talk()
    await talk.prompt('A story, please.')
    await talk.until(chunk => chunk.type === 'text-delta')
    await talk.connection.interrupt()
    equal((await talk.untilFinish()).messageMetadata?.['reason'], 'interrupted')
    await talk.prompt('Go on.')
    equal((await talk.untilFinish()).finishReason, 'stop')
    match(textIn(talk), /^Once upon .*On we go\.$/)
  },

  async 'interrupted before the first word'() {
    await using stage = await setStage(() => says({ end: 'never' }))
    const talk = await stage.talk()
    await talk.prompt('Hello.')
    await talk.connection.interrupt()
    equal((await talk.untilFinish()).messageMetadata?.['reason'], 'interrupted')
  },

  async 'interrupted in the middle of a tool'() {
    await using stage = await setStage(sleepThenTalk(81))
    const talk = await stage.talk()
    await talk.prompt('Wait.')
    await talk.answer({})
    await sleep(1_500)
    ok(isRunning('^sleep 81'))
    await talk.connection.interrupt()
    equal((await talk.untilFinish()).messageMetadata?.['reason'], 'interrupted')
    await sleep(500)
    ok(!isRunning('^sleep 81'))
  },

  async 'resumed in a new process'() {
    await using stage = await setStage(({ body }) =>
      says(JSON.stringify(body['messages']).includes('heron') ? 'I know of the heron.' : 'Who?'),
    )
    const first = await stage.talk()
    await first.prompt('The word is heron.')
    await first.untilFinish()
    await first[Symbol.asyncDispose]()
    const second = await stage.talk({ resume: sessionOf(first) })
    await second.prompt('Which word?')
    const { messageMetadata } = await second.untilFinish()
    equal(textIn(second), 'I know of the heron.')
    equal(sessionOf(second), sessionOf(first))
    ok(Number(messageMetadata?.['cost']) < 0.006, 'the cost is this answer’s alone')
  },

  async 'same prompt again after a resume'() {
    await using stage = await setStage(() => says('Once.'))
    const id = randomUUID()
    const first = await stage.talk()
    await first.prompt('Say it.', id)
    await first.untilFinish()
    await first[Symbol.asyncDispose]()
    const second = await stage.talk({ resume: sessionOf(first) })
    await second.prompt('Say it.', id)
    await second.untilFinish()
    equal(textIn(second), '')
    equal(stage.model.requests.length, 1)
  },

  async forked() {
    await using stage = await setStage(({ body }) =>
      says(JSON.stringify(body['messages']).includes('heron') ? 'I know of the heron.' : 'Who?'),
    )
    const first = await stage.talk()
    await first.prompt('The word is heron.')
    await first.untilFinish()
    const forked = await stage.talk({ options: { resume: sessionOf(first), fork: true } })
    await forked.prompt('Which word?')
    await forked.untilFinish()
    equal(textIn(forked), 'I know of the heron.')
    notEqual(sessionOf(forked), sessionOf(first))
  },

  async 'resume of what is not there'() {
    await using stage = await setStage(() => says('Never.'))
    const talk = await stage.talk({ resume: randomUUID() })
    await talk.prompt('Hello?').catch(() => undefined)
    // It ends without an answer, so that the server gives the same prompt to a new one, with the conversation.
    equal((await talk.connection.exit).code, 1)
    match(talk.lines.join('\n'), /No conversation found/)
    equal(talk.said.length, 0)
  },

  async 'disposed of in the middle of a tool: nothing runs on'() {
    await using stage = await setStage(sleepThenTalk(82))
    const talk = await stage.talk()
    await talk.prompt('Wait.')
    await talk.answer({})
    await sleep(1_500)
    ok(isRunning('^sleep 82'))
    await talk[Symbol.asyncDispose]()
    await sleep(500)
    ok(!isRunning('^sleep 82'))
  },

  async 'killed in the middle of a tool: nothing runs on'() {
    await using stage = await setStage(sleepThenTalk(83))
    const talk = await stage.talk()
    await talk.prompt('Wait.')
    await talk.answer({})
    await sleep(1_500)
    ok(isRunning('^sleep 83'))
    process.kill(talk.connection.process ?? 0, 'SIGKILL')
    await talk.connection.exit
    await talk[Symbol.asyncDispose]()
    await sleep(500)
    ok(!isRunning('^sleep 83'))
  },

  async 'found, and not found'() {
    await using stage = await setStage(() => says('Never.'))
    ok(stage.cwd)
    equal((await claudeCode.find()).status, 'ready')
    const { ANTHROPIC_API_KEY, DRAGOMAN_CLAUDE_CODE } = process.env
    delete process.env['ANTHROPIC_API_KEY']
    equal((await claudeCode.find()).status, 'needs-login')
    process.env['DRAGOMAN_CLAUDE_CODE'] = '/nowhere/claude'
    equal((await claudeCode.find()).status, 'missing')
    Object.assign(process.env, { ANTHROPIC_API_KEY, DRAGOMAN_CLAUDE_CODE })
  },
}
