import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { acp } from '../../src/agents/acp/index.ts'
import { adapters, type AdapterStage } from './acp/adapters.ts'
import { callsOf, setStage, wordsOf } from './stage.ts'

/*
 * Adapters of other agents, offline, over both versions of ACP:
 * DRAGOMAN_ACP_CLAUDE=path/to/claude-agent-acp DRAGOMAN_ACP_CODEX=path/to/codex-acp DRAGOMAN_ACP_OPENCODE=path/to/opencode
 * node e2e/agents/acp.ts
 */

async function play({ cwd, dataFolder, options }: AdapterStage, protocol: 1 | 2): Promise<void> {
  const setting = { cwd, dataFolder, options: { ...options, protocol } }
  let session: string | null = null
  {
    await using stage = await setStage(acp, setting)
    const asked = stage.until(chunk => chunk.type === 'tool-approval-request')
    const finished = stage.until(chunk => chunk.type === 'finish')
    await stage.say('Run it')
    const question = await asked
    if (question.type === 'tool-approval-request') await stage.answer(question.approvalId, true)
    await finished
    const message = stage.messages().at(-1)?.message
    assert.ok(message)
    assert.equal(wordsOf(message), 'I will run it.Done.')
    const [call] = callsOf(message)
    // OpenCode does not call a command with an exit code an error.
    assert.match(JSON.stringify(call), /"(errorText|output)":.*hi/)
    assert.match(JSON.stringify(call), /Exit code 3|"exit":3/)
    session = stage.agentSession
  }
  await using stage = await setStage(acp, { ...setting, resume: session ?? '' })
  assert.equal(wordsOf(await stage.ask('Again')), 'Done.')
  assert.equal(stage.messages().length, 1)
  assert.equal(stage.agentSession, session)
}

const programs = Object.keys(adapters).map(
  name => [name, process.env[`DRAGOMAN_ACP_${name.toUpperCase()}`]] as const,
)
const root = mkdtempSync(join(tmpdir(), 'dragoman-acp-'))
let failures = 0
for (const [name, program] of programs)
  for (const protocol of [1, 2] as const) {
    const label = `${name} over version ${protocol}`
    const set = adapters[name]
    if (program === undefined || set === undefined) {
      console.log(`missing ${label}: set DRAGOMAN_ACP_${name.toUpperCase()}`)
      failures += 1
      continue
    }
    try {
      await using stage = await set(program, root)
      await play(stage, protocol)
      console.log(`ok      ${label}`)
    } catch (error) {
      failures += 1
      console.log(`failed  ${label}\n${error instanceof Error ? error.message : String(error)}`)
    }
  }
rmSync(root, { recursive: true, force: true, maxRetries: 3 })
process.exitCode = failures === 0 ? 0 : 1
