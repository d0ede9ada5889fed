import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Json } from '../../../src/protocol/json.ts'
import { makeCodexHome } from '../codex/home.ts'
import { startFakeOpenAi, type ModelAnswer, type Output } from '../../../src/testing/fake-openai-responses.ts'
import type { LiveAgent } from './live-agent.ts'
import { countOf, type Reply, type Saying } from './script.ts'

const escalated = { sandbox_permissions: 'require_escalated', justification: 'May I?' }

function outputOf(saying: Saying, asking: boolean): Output {
  const shell = (id: string, cmd: string, workdir?: string): Output => ({
    type: 'call',
    call: `call_${id}`,
    name: 'exec_command',
    input: { cmd, ...(workdir !== undefined && { workdir }), ...(asking && escalated) },
  })
  switch (saying.type) {
    case 'text':
      return { type: 'message', text: saying.pieces }
    case 'thinking':
      return { type: 'reasoning', summary: [[saying.text]] }
    case 'run':
      return shell(saying.id, saying.command, saying.folder)
    case 'read':
      return shell(saying.id, `cat ${saying.file}`)
    case 'fail':
      return shell(saying.id, 'echo bad >&2; exit 3')
    case 'send':
      return team(saying.id, 'spawn_agent', { message: saying.task })
  }
}

const team = (id: string, name: string, input: Json): Output => ({
  type: 'call',
  call: `call_${id}`,
  namespace: 'multi_agent_v1',
  name,
  input,
})

function answerOf(reply: Reply, asking: boolean): ModelAnswer {
  if ('says' in reply) return { output: reply.says.map(saying => outputOf(saying, asking)) }
  // Its client retries after a broken stream.
  return 'refuses' in reply
    ? { status: 400, body: { error: { message: reply.refuses, type: 'invalid_request' } } }
    : { output: [{ type: 'message', text: ['This is cut', { end: 'drop' }] }] }
}

/** Sending a subagent is one call, and waiting for it another. */
function waiting(text: string): ModelAnswer | null {
  const [, agent] = /agent_id\\*":\\*"([0-9a-f-]+)/.exec(text) ?? []
  if (agent === undefined || text.includes('call_wait')) return null
  return { output: [team('wait', 'wait_agent', { targets: [agent], timeout_ms: 20_000 })] }
}

/** Codex through its app-server. */
export const codex: LiveAgent = {
  name: 'codex',
  cli: { package: '@openai/codex', version: '0.169.0', older: '0.160.0', program: 'codex' },
  variable: 'DRAGOMAN_CODEX',
  perAnswer: { tokens: { input: 100, output: 30, cacheRead: 20, cacheWrite: 0 }, cost: null },
  cannot: {
    'send the same lines once, and roll back': 'it sends its own history',
    'count a subagent in the background': 'it waits for its subagents',
    'approval, changed input': 'its protocol knows yes and no only',
  },
  forkOf: fork => ({ fork }),
  async makeWorld(root, script, asking) {
    const model = await startFakeOpenAi(({ body, before }) => {
      const text = JSON.stringify(body['input'])
      const results = countOf(text, '"type":"function_call_output"')
      return waiting(text) ?? answerOf(script({ text, results, before }), asking)
    })
    const home = makeCodexHome(root, model.url, '', this.isOlder)
    const folder = dirname(home.cwd)
    return {
      env: home.env,
      home: home.env['HOME'] ?? '',
      cwd: home.cwd,
      data: home.dataFolder,
      folder,
      options: asking ? { approvalPolicy: 'on-request', sandbox: 'workspace-write' } : {},
      asked: () => model.requests.map(({ body }) => JSON.stringify(body)),
      answers: () => model.requests.map(({ answered }) => answered),
      async [Symbol.asyncDispose]() {
        await model[Symbol.asyncDispose]()
        await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  },
}
