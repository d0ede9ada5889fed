import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { opencode } from '../../src/agents/opencode/index.ts'
import { startFakeOpenAi } from '../../src/testing/fake-openai-responses.ts'
import { createOpenCodeHome, type OpenCodeHome } from './opencode/home.ts'
import { besideTitles } from './opencode/scenario.ts'
import type { Scenario, Scene } from './openai-scenario.ts'
import { talking } from './opencode/talking.ts'
import { working } from './opencode/working.ts'
import { setStage } from './stage.ts'

/*
 * OpenCode itself, offline, through our own `connect`: DRAGOMAN_OPENCODE=path/to/opencode node e2e/agents/opencode.ts [part of
 * a name …]. DRAGOMAN_RECORDINGS names a folder to write its events to.
 */

const scenarios = { ...talking, ...working }
const recordings = process.env['DRAGOMAN_RECORDINGS']

async function play(name: string, scenario: Scenario<OpenCodeHome>, root: string): Promise<string | null> {
  await using model = await startFakeOpenAi(besideTitles(scenario.model))
  using home = createOpenCodeHome(root, model.url)
  const file = `${name.replaceAll(/\W+/g, '-').toLowerCase()}.jsonl`
  const recording = recordings === undefined ? {} : { recording: join(recordings, file) }
  const open: Scene<OpenCodeHome>['open'] = more =>
    setStage(opencode, { ...home, options: scenario.options ?? null, ...more, ...recording })
  try {
    await scenario.play({ home, model, open })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

if (!existsSync(process.env['DRAGOMAN_OPENCODE'] ?? ''))
  throw new Error('Set DRAGOMAN_OPENCODE to the program: npm install opencode-ai, in a folder of its own.')
if (recordings !== undefined) mkdirSync(recordings, { recursive: true })
const root = mkdtempSync(join(tmpdir(), 'dragoman-opencode-'))
const only = process.argv.slice(2)
let failures = 0
for (const [name, scenario] of Object.entries(scenarios)) {
  if (only.length > 0 && !only.some(part => name.includes(part))) continue
  const began = performance.now()
  const trouble = await play(name, scenario, root)
  if (trouble !== null) failures += 1
  const took = `${Math.round(performance.now() - began)} ms`.padStart(9)
  console.log(trouble === null ? `ok      ${took}  ${name}` : `failed  ${took}  ${name}\n${trouble}`)
}
rmSync(root, { recursive: true, force: true })
process.exitCode = failures === 0 ? 0 : 1
