import { mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Connection } from '../../../src/agents/agent.ts'
import { claudeCode, type State } from '../../../src/agents/claude-code/index.ts'
import type { Chunk, Thread, ThreadChunk } from '../../../src/protocol/chunk.ts'
import type { Raw } from '../../../src/protocol/event.ts'
import type { ApprovalId, ConnectionId, PromptId } from '../../../src/protocol/ids.ts'
import type { Json } from '../../../src/protocol/json.ts'
import type { PromptPart } from '../../../src/protocol/message.ts'
import { openParts } from '../../../src/protocol/open-parts.ts'
import { assertWellFormed } from '../../../src/protocol/well-formed.ts'
import {
  startFakeAnthropic,
  type FakeAnthropic,
  type ModelAnswer,
  type ModelRequest,
} from '../../../src/testing/fake-anthropic.ts'

/** The setup of one scenario: separate folders, and a model that follows a script. */
export interface Stage extends AsyncDisposable {
  readonly cwd: string
  readonly model: FakeAnthropic
  talk(how?: { readonly resume?: string; readonly options?: Json }): Promise<Talk>
}

/** A conversation with the real program through the agent's own connection and translation. */
export interface Talk extends AsyncDisposable {
  readonly connection: Connection
  /** All lines so far, of both sides. */
  readonly said: readonly ThreadChunk[]
  readonly lines: readonly string[]
  prompt(text: string | readonly PromptPart[], id?: string): Promise<void>
  /** Waits for a chunk that matches, and gives it. Each is given once. */
  until<Found extends Chunk>(isSo: (chunk: Chunk, thread: Thread) => chunk is Found): Promise<Found>
  untilFinish(): Promise<Finish>
  /** Waits for a question and answers it. */
  answer(answer: Partial<Answer>): Promise<void>
}

const patience = 30_000
/** The folder of temporary folders, before a scenario has its own. */
const outside = tmpdir()

/** Empties the environment except for what the program needs, so that it uses nothing of this machine's user. */
export function emptyEnvironment(program: string): void {
  const { PATH = '/usr/bin:/bin' } = process.env
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, { PATH, ...quietEnvironment, DRAGOMAN_CLAUDE_CODE: program })
}

/** The variables with which Claude Code calls nothing but its model. */
export const quietEnvironment = {
  LANG: 'C.UTF-8',
  SHELL: '/bin/bash',
  ANTHROPIC_API_KEY: 'dummy',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_MAX_RETRIES: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
}

/** Sets up a scenario. */
export async function setStage(script: (request: ModelRequest) => ModelAnswer): Promise<Stage> {
  const root = mkdtempSync(join(outside, 'dragoman-claude-'))
  const folder = (name: string) => {
    mkdirSync(join(root, name))
    return join(root, name)
  }
  const [cwd, dataFolder] = [folder('cwd'), folder('data')]
  const model = await startFakeAnthropic(script)
  Object.assign(process.env, { HOME: folder('home'), TMPDIR: folder('tmp'), ANTHROPIC_BASE_URL: model.url })
  const open: Talk[] = []
  return {
    cwd,
    model,
    async talk({ resume, options } = {}) {
      const talk = await startTalk(cwd, dataFolder, resume ?? null, options ?? {})
      open.push(talk)
      return talk
    },
    async [Symbol.asyncDispose]() {
      for (const talk of open) await talk[Symbol.asyncDispose]()
      await model[Symbol.asyncDispose]()
      await rm(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

async function startTalk(
  cwd: string,
  dataFolder: string,
  resume: string | null,
  options: Json,
): Promise<Talk> {
  const said: ThreadChunk[] = []
  const lines: string[] = []
  let state: State = claudeCode.initial(`live${(connections += 1)}` as ConnectionId)
  const hear = (from: 'agent' | 'host', { raw }: Raw) => {
    const [next, chunks] = claudeCode.translate(state, { from, text: raw })
    state = next
    lines.push(raw)
    said.push(...chunks)
  }
  const connection = await claudeCode.connect({
    cwd,
    resume,
    options: { settingSources: [], ...(options as object) },
    dataFolder,
    signal: AbortSignal.timeout(120_000),
    record: line => Promise.resolve(hear('host', line)),
  })
  const ended = listen(connection, line => hear('agent', line))
  let heard = 0
  const until: Talk['until'] = async isSo => {
    const end = performance.now() + patience
    for (;;) {
      for (; heard < said.length;) {
        const each = said[heard]
        heard += 1
        if (each && isSo(each.chunk, each.thread)) return each.chunk
      }
      if (performance.now() > end) throw new Error(`Nothing came.\n${lines.join('\n')}`)
      await Promise.race([sleep(5), ended])
    }
  }
  return {
    connection,
    said,
    lines,
    until,
    untilFinish: () => until(isEnd),
    prompt: (text, id = `prompt-${(prompts += 1)}`) =>
      connection.prompt(id as PromptId, typeof text === 'string' ? [{ type: 'text', text }] : text),
    async answer(answer) {
      const { approvalId } = await until(chunk => chunk.type === 'tool-approval-request')
      const whole = { approved: true, reason: null, always: false, ...answer }
      await connection.answer(approvalId as ApprovalId, whole)
    },
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]()
      await ended
      const open = said.reduce(openParts.apply, openParts.initial)
      const rest = openParts.closeAll(open, { errorText: 'The scenario ended.', reason: 'interrupted' })
      assertWellFormed([...said, ...rest])
    },
  }
}

let connections = 0
let prompts = 0

type Finish = Extract<Chunk, { readonly type: 'finish' }>

/** A message that is opened again finishes again, without metadata. */
const isEnd = (chunk: Chunk, thread: Thread): chunk is Finish =>
  chunk.type === 'finish' && thread === null && chunk.messageMetadata !== undefined

async function listen(connection: Connection, hear: (line: Raw) => void): Promise<void> {
  const logs = (async () => {
    for await (const text of connection.logs) if (process.argv.includes('--logs')) process.stderr.write(text)
  })()
  for await (const line of connection.messages) hear(line)
  await logs
}
