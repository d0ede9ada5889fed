import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../../src/protocol/json.ts'
import { createCodexHome } from '../codex/home.ts'
import { startFakeAnthropic } from '../../../src/testing/fake-anthropic.ts'
import { startFakeOpenAi } from '../../../src/testing/fake-openai-responses.ts'
import { createOpenCodeHome } from '../opencode/home.ts'
import { besideTitles } from '../opencode/scenario.ts'

/** An agent over ACP in separate folders, with a fake of its model: it runs a command at the prompt "Run it". */
export interface AdapterStage extends AsyncDisposable {
  readonly cwd: string
  readonly dataFolder: string
  readonly options: Readonly<Record<string, Json>>
}

/** How to set up each adapter, by the preset that it tests. */
export const adapters: Readonly<Record<string, (program: string, root: string) => Promise<AdapterStage>>> = {
  claude: stageClaude,
  codex: stageCodex,
  opencode: stageOpenCode,
}

const command = 'echo hi; exit 3'

async function stageClaude(program: string, root: string): Promise<AdapterStage> {
  const say = (text: string) => ({ blocks: [{ type: 'text' as const, pieces: [text] }] })
  const model = await startFakeAnthropic(({ body, last }) => {
    // It also asks for titles and suggestions, which are not part of the test.
    const isOurs = JSON.stringify(body['tools'] ?? []).includes('"Bash"')
    if (!isOurs || JSON.stringify(body).includes('SUGGESTION MODE')) return say('ok')
    if (!last.includes('Run it')) return say('Done.')
    const input = { command, description: 'demo' }
    return {
      blocks: [
        { type: 'text', pieces: ['I will ', 'run it.'] },
        { type: 'call', call: 'toolu_1', name: 'Bash', input },
      ],
    }
  })
  const folder = mkdtempSync(join(root, 'claude-'))
  const [home, cwd] = [join(folder, 'home'), join(folder, 'work')]
  for (const each of [home, cwd]) mkdirSync(each)
  writeFileSync(join(home, '.claude.json'), '{"hasCompletedOnboarding":true}')
  const env = {
    HOME: home,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'dummy',
    ANTHROPIC_MODEL: 'claude-sonnet-4-5',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  }
  return {
    cwd,
    dataFolder: folder,
    options: { preset: 'claude', command: process.execPath, args: [program], env },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

async function stageCodex(program: string, root: string): Promise<AdapterStage> {
  const say = (...text: readonly string[]) => ({ type: 'message' as const, text })
  const model = await startFakeOpenAi(({ body }) => {
    const isAsked = JSON.stringify(body['input']).slice(-600).includes('Run it')
    if (!isAsked) return { output: [say('Done.')] }
    const input = { cmd: command, sandbox_permissions: 'require_escalated', justification: 'demo' }
    return {
      output: [say('I will ', 'run it.'), { type: 'call', call: 'call_1', name: 'exec_command', input }],
    }
  })
  const home = createCodexHome(root, model.url)
  const env = { MODEL_PROVIDER: 'fake', INITIAL_AGENT_MODE: 'workspace-write', NO_BROWSER: '1' }
  const start = { command: process.execPath, args: [program], env, inherit: ['TMPDIR'] }
  return {
    ...home,
    options: { preset: 'codex', ...start },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      home[Symbol.dispose]()
    },
  }
}

async function stageOpenCode(program: string, root: string): Promise<AdapterStage> {
  const say = (...text: readonly string[]) => ({ type: 'message' as const, text })
  const script = besideTitles(({ body }) => {
    const isOver = JSON.stringify(body['input']).includes('function_call_output')
    if (isOver) return { output: [say('Done.')] }
    const input = { command, description: 'demo' }
    return { output: [say('I will ', 'run it.'), { type: 'call', call: 'call_1', name: 'bash', input }] }
  })
  const model = await startFakeOpenAi(script)
  const home = createOpenCodeHome(root, model.url)
  const inherit = Object.keys(process.env).filter(name => name.startsWith('OPENCODE_') || name === 'TMPDIR')
  const config = JSON.parse(process.env['OPENCODE_CONFIG_CONTENT'] ?? '{}') as Readonly<Record<string, Json>>
  const env = { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...config, permission: { bash: 'ask' } }) }
  return {
    ...home,
    options: { preset: 'opencode', command: program, env, inherit },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      home[Symbol.dispose]()
    },
  }
}
