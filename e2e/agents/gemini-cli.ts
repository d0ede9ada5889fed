import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { geminiCli } from '../../src/agents/gemini-cli/index.ts'
import { startFakeGemini } from '../../src/testing/fake-gemini.ts'
import { createGeminiHome } from './gemini-cli/home.ts'
import { scenarios, type Scenario, type Scene } from './gemini-cli/scenarios.ts'
import { setStage } from './stage.ts'

/* Gemini CLI itself, offline, through our own `connect`: DRAGOMAN_GEMINI=path/to/gemini node e2e/agents/gemini-cli.ts [part of a name …] */

const program = process.env['DRAGOMAN_GEMINI'] ?? ''
if (!existsSync(program))
  throw new Error(
    'Set DRAGOMAN_GEMINI to the program: npm install @google/gemini-cli, in a folder of its own.',
  )

async function play(scenario: Scenario, root: string): Promise<string | null> {
  await using model = await startFakeGemini(scenario.model)
  using home = createGeminiHome(root, program, model.url)
  const open: Scene['open'] = resume =>
    setStage(geminiCli, { ...home, ...(resume === undefined ? {} : { resume }) })
  try {
    await scenario.play({ home, model, open })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const root = mkdtempSync(join(tmpdir(), 'dragoman-gemini-'))
const only = process.argv.slice(2)
let failures = 0
for (const [name, scenario] of Object.entries(scenarios)) {
  if (only.length > 0 && !only.some(part => name.includes(part))) continue
  const began = performance.now()
  const trouble = await play(scenario, root)
  if (trouble !== null) failures += 1
  const took = `${Math.round(performance.now() - began)} ms`.padStart(8)
  console.log(trouble === null ? `ok      ${took}  ${name}` : `failed  ${took}  ${name}\n${trouble}`)
}
rmSync(root, { recursive: true, force: true })
process.exitCode = failures === 0 ? 0 : 1
