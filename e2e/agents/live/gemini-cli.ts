import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  startFakeGemini,
  type ModelAnswer,
  type Piece as GeminiPiece,
} from '../../../src/testing/fake-gemini.ts'
import { createGeminiHome } from '../gemini-cli/home.ts'
import type { LiveAgent } from './live-agent.ts'
import { countOf, type Piece, type Reply, type Saying } from './script.ts'

const pieceOf = (piece: Piece): GeminiPiece =>
  typeof piece === 'object' && 'end' in piece ? { hang: true } : piece

function piecesOf(saying: Saying): readonly GeminiPiece[] {
  switch (saying.type) {
    case 'text':
      return saying.pieces.map(pieceOf)
    case 'thinking':
      return [{ thought: saying.text }]
    case 'run':
      return [
        {
          call: 'run_shell_command',
          args: {
            command: saying.command,
            description: 'Do it',
            ...(saying.folder !== undefined && { dir_path: saying.folder }),
          },
        },
      ]
    case 'read':
      return [{ call: 'read_file', args: { file_path: saying.file } }]
    case 'fail':
      return [{ call: 'read_file', args: { file_path: 'nowhere.txt' } }]
    case 'send':
      throw new Error('It has no subagents.')
  }
}

function answerOf(reply: Reply): ModelAnswer {
  if ('says' in reply) return { pieces: reply.says.flatMap(piecesOf) }
  return 'refuses' in reply
    ? { status: 400, body: { error: { code: 400, message: reply.refuses, status: 'INVALID_ARGUMENT' } } }
    : { pieces: ['This is cut'], unfinished: true }
}

/** Gemini CLI over ACP, with its chat file. */
export const geminiCli: LiveAgent = {
  name: 'gemini-cli',
  cli: { package: '@google/gemini-cli', version: '0.61.0', older: '0.58.0', program: 'gemini' },
  variable: 'DRAGOMAN_GEMINI',
  perAnswer: { tokens: { input: 900, output: 15, cacheRead: 100, cacheWrite: 0 }, cost: null },
  isResumedNextMinute: true,
  cannot: {
    'send the same lines once, and roll back': 'it sends its own history',
    'approval, changed input': 'its protocol knows options only',
    'count a subagent in the background': 'it has none',
    subagent: 'it tells nothing of what its subagents say',
    'import: subagent': 'it tells nothing of what its subagents say',
    'import: crash': 'its chat file does not keep a call that was running when it was killed',
    fork: 'its ACP has no fork',
    'clear what is obsolete, and roll back': 'its history cannot be changed',
    'clear what is obsolete before thinking': 'its history cannot be changed',
  },
  async makeWorld(root, script, asking) {
    const model = await startFakeGemini(({ body, before }) => {
      const text = JSON.stringify(body['contents'])
      return answerOf(script({ text, results: countOf(text, '"functionResponse"'), before }))
    })
    const { home, cwd, dataFolder } = createGeminiHome(root, 'gemini', model.url)
    const TMPDIR = join(home, 'tmp')
    mkdirSync(TMPDIR)
    return {
      env: {
        HOME: home,
        TMPDIR,
        LANG: 'C.UTF-8',
        NO_COLOR: '1',
        TERM: 'dumb',
        GEMINI_API_KEY: 'dummy',
        GOOGLE_GEMINI_BASE_URL: model.url,
      },
      home,
      cwd,
      data: dataFolder,
      folder: home,
      options: { model: 'gemini-2.5-flash', env: { CI: '1' }, ...(asking ? {} : { mode: 'yolo' }) },
      asked: () => model.requests.map(({ body }) => JSON.stringify(body)),
      answers: () => model.requests.map(({ answered }) => answered),
      async [Symbol.asyncDispose]() {
        await model[Symbol.asyncDispose]()
        await rm(home, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  },
}
