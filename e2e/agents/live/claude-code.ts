import { mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { quietEnvironment } from '../claude-code/stage.ts'
import { startFakeAnthropic, type Block, type ModelAnswer } from '../../../src/testing/fake-anthropic.ts'
import type { LiveAgent } from './live-agent.ts'
import type { Piece, Reply, Saying } from './script.ts'

const ends = { drop: 'dropped', hang: 'never' } as const
const pieceOf = (piece: Piece) =>
  typeof piece === 'object' && 'end' in piece ? ({ end: ends[piece.end] } as const) : piece

function blockOf(saying: Saying): Block {
  const call = (id: string, name: string, input: Readonly<Record<string, string | boolean>>): Block => ({
    type: 'call',
    call: `toolu_${id}`,
    name,
    input,
  })
  switch (saying.type) {
    case 'text':
      return { type: 'text', pieces: saying.pieces.map(pieceOf) }
    case 'thinking':
      return { type: 'thinking', pieces: [saying.text] }
    case 'run':
      return call(saying.id, 'Bash', {
        // Its tool has no folder parameter: the command changes the folder itself.
        command: saying.folder === undefined ? saying.command : `cd ${saying.folder} && ${saying.command}`,
        description: 'Do it',
      })
    case 'read':
      return call(saying.id, 'Read', { file_path: saying.file })
    case 'fail':
      return call(saying.id, 'Read', { file_path: '/nowhere/at/all' })
    case 'send':
      return call(saying.id, 'Agent', {
        description: 'Help',
        subagent_type: 'general-purpose',
        run_in_background: saying.background ?? false,
        prompt: saying.task,
      })
  }
}

function answerOf(reply: Reply): ModelAnswer {
  if ('says' in reply) return { blocks: reply.says.map(blockOf) }
  return 'refuses' in reply
    ? { status: 400, kind: 'invalid_request_error', message: reply.refuses }
    : { status: 529, kind: 'overloaded_error', message: 'Busy.' }
}

/** Claude Code over its own protocol. */
export const claudeCode: LiveAgent = {
  name: 'claude-code',
  cli: { package: '@anthropic-ai/claude-code', version: '2.1.328', older: '2.1.300', program: 'claude' },
  variable: 'DRAGOMAN_CLAUDE_CODE',
  perAnswer: { tokens: { input: 1000, output: 20, cacheRead: 7, cacheWrite: 3 }, cost: 0.0044164 },
  cannot: { 'send the same lines once, and roll back': 'it sends its own history' },
  olderCannot: Object.fromEntries(
    ['clear what is obsolete, and roll back', 'clear what is obsolete before thinking'].map(name => [
      name,
      'it does not send a file twice that has not changed',
    ]),
  ),
  forkOf: resume => ({ resume, fork: true }),
  async makeWorld(root, script, asking) {
    const folder = mkdtempSync(join(root, 'claude-code-'))
    const inside = (name: string) => {
      mkdirSync(join(folder, name), { mode: 0o700 })
      return join(folder, name)
    }
    const [home, cwd, data] = [inside('home'), inside('work'), inside('data')]
    const model = await startFakeAnthropic(({ body, results, before }) =>
      answerOf(script({ text: JSON.stringify(body['messages']), results, before })),
    )
    return {
      env: { ...quietEnvironment, HOME: home, TMPDIR: inside('tmp'), ANTHROPIC_BASE_URL: model.url },
      home,
      cwd,
      data,
      folder,
      options: { settingSources: [], ...(asking ? {} : { allowedTools: ['Bash', 'Read'] }) },
      asked: () => model.requests.map(({ body }) => JSON.stringify(body)),
      answers: () => model.requests.map(({ answered }) => answered),
      async [Symbol.asyncDispose]() {
        await model[Symbol.asyncDispose]()
        await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  },
}
