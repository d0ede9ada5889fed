import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codex } from '../../src/agents/codex/index.ts'
import { createCodexHome, type CodexHome } from './codex/home.ts'
import { lasting } from './codex/lasting.ts'
import type { Scenario, Scene } from './openai-scenario.ts'
import { talking } from './codex/talking.ts'
import { working } from './codex/working.ts'
import { startFakeOpenAi } from '../../src/testing/fake-openai-responses.ts'
import { setStage } from './stage.ts'

/*
 * Codex itself, offline, through our own `connect`: DRAGOMAN_CODEX=path/to/codex node e2e/agents/codex.ts [part of a name …]
 * DRAGOMAN_RECORDINGS names a folder to write its lines to.
 */

const scenarios = { ...talking, ...working, ...lasting }
const recordings = process.env['DRAGOMAN_RECORDINGS']

async function play(name: string, scenario: Scenario<CodexHome>, root: string): Promise<string | null> {
  await using model = await startFakeOpenAi(scenario.model)
  using home = createCodexHome(root, model.url, scenario.config)
  const file = `${name.replaceAll(/\W+/g, '-').toLowerCase()}.jsonl`
  const recording = recordings === undefined ? {} : { recording: join(recordings, file) }
  const open: Scene<CodexHome>['open'] = more =>
    setStage(codex, { ...home, options: scenario.options ?? null, ...more, ...recording })
  try {
    await scenario.play({ home, model, open })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

if (!existsSync(process.env['DRAGOMAN_CODEX'] ?? ''))
  throw new Error('Set DRAGOMAN_CODEX to the program: npm install @openai/codex, in a folder of its own.')
if (recordings !== undefined) mkdirSync(recordings, { recursive: true })
const root = mkdtempSync(join(tmpdir(), 'dragoman-codex-'))
const only = process.argv.slice(2)
let failures = 0
for (const [name, scenario] of Object.entries(scenarios)) {
  if (only.length > 0 && !only.some(part => name.includes(part))) continue
  const began = performance.now()
  const trouble = await play(name, scenario, root)
  if (trouble !== null) failures += 1
  const took = `${Math.round(performance.now() - began)} ms`.padStart(8)
  console.log(trouble === null ? `ok      ${took}  ${name}` : `failed  ${took}  ${name}\n${trouble}`)
}
rmSync(root, { recursive: true, force: true })
process.exitCode = failures === 0 ? 0 : 1
