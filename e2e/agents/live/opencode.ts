import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Json } from '../../../src/protocol/json.ts'
import { startFakeOpenAi, type ModelAnswer, type Output } from '../../../src/testing/fake-openai-responses.ts'
import { makeOpenCodeHome } from '../opencode/home.ts'
import { asksForTitle, besideTitles } from '../opencode/scenario.ts'
import type { LiveAgent } from './live-agent.ts'
import { countOf, type Reply, type Saying } from './script.ts'

function outputOf(saying: Saying): Output {
  const call = (id: string, name: string, input: Json): Output => ({
    type: 'call',
    call: `call_${id}`,
    name,
    input,
  })
  switch (saying.type) {
    case 'text':
      return { type: 'message', text: saying.pieces }
    case 'thinking':
      return { type: 'reasoning', summary: [[saying.text]] }
    case 'run':
      return call(saying.id, 'bash', {
        command: saying.command,
        description: 'Do it',
        ...(saying.folder !== undefined && { workdir: saying.folder }),
      })
    case 'read':
      return call(saying.id, 'read', { filePath: saying.file })
    case 'fail':
      return call(saying.id, 'read', { filePath: '/nowhere/at/all' })
    case 'send':
      return call(saying.id, 'task', { description: 'help', prompt: saying.task, subagent_type: 'general' })
  }
}

function answerOf(reply: Reply): ModelAnswer {
  if ('says' in reply) return { output: reply.says.map(outputOf) }
  return 'refuses' in reply
    ? { status: 400, body: { error: { message: reply.refuses, type: 'invalid_request' } } }
    : { status: 429, body: { error: { message: 'Too much.' } }, headers: { 'retry-after-ms': '200' } }
}

/** OpenCode through the server that it brings. */
export const opencode: LiveAgent = {
  name: 'opencode',
  cli: { package: 'opencode-ai', version: '1.18.33', older: '1.18.20', program: 'opencode' },
  variable: 'DRAGOMAN_OPENCODE',
  // The prices are those of `home.ts`.
  perAnswer: { tokens: { input: 100, output: 30, cacheRead: 20, cacheWrite: 0 }, cost: 0.000162 },
  asksBeforeRequests: true,
  cannot: {
    'approval, changed input': 'its protocol knows yes and no only',
    'count a subagent in the background': 'it waits for its subagents',
  },
  forkOf: fork => ({ fork }),
  async makeWorld(root, script, asking) {
    const model = await startFakeOpenAi(
      besideTitles(({ body, before }) => {
        const text = JSON.stringify(body['input'])
        const results = countOf(text, '"type":"function_call_output"')
        return answerOf(script({ text, results, before }))
      }),
    )
    const home = makeOpenCodeHome(root, model.url)
    const folder = dirname(home.cwd)
    const permission = [{ permission: 'bash', pattern: '*', action: 'ask' }]
    return {
      env: home.env,
      home: home.env['HOME'] ?? '',
      cwd: home.cwd,
      data: home.dataFolder,
      folder,
      options: asking ? { permission } : {},
      asked: () => model.requests.map(({ body }) => JSON.stringify(body)),
      // OpenCode reports no usage of its titles.
      answers: () => model.requests.filter(({ body }) => !asksForTitle(body)).map(({ answered }) => answered),
      async [Symbol.asyncDispose]() {
        await model[Symbol.asyncDispose]()
        await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  },
}
