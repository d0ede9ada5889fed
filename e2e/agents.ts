import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { claudeCode } from './agents/live/claude-code.ts'
import { installCli } from './agents/live/clis.ts'
import { codex } from './agents/live/codex.ts'
import { geminiCli } from './agents/live/gemini-cli.ts'
import { lasting } from './agents/live/lasting.ts'
import type { LiveAgent } from './agents/live/live-agent.ts'
import { opencode } from './agents/live/opencode.ts'
import type { Scenario } from './agents/live/scenario.ts'
import { setScene } from './agents/live/scene.ts'
import { tableOf, type Cell } from './agents/live/table.ts'
import { talking } from './agents/live/talking.ts'
import { working } from './agents/live/working.ts'

/*
 * The real agents, offline, each in an empty environment against a fake of its model, through the real server and client:
 * npm run test:agents -- [--agent NAME …] [--only PART …] [--short]
 */

const all: readonly LiveAgent[] = [claudeCode, codex, opencode, geminiCli]
const { values } = parseArgs({
  options: {
    agent: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
    short: { type: 'boolean', default: false },
  },
})
const agents = all.filter(({ name }) => values.agent.length === 0 || values.agent.includes(name))
const scenarios = Object.entries({ ...talking, ...working, ...lasting }).filter(
  ([name, { isLong = false }]) =>
    !(values.short && isLong) && (values.only.length === 0 || values.only.some(part => name.includes(part))),
)
if (agents.length === 0 || scenarios.length === 0) throw new Error('There is nothing to do by these names.')

async function play(agent: LiveAgent, name: string, scenario: Scenario, root: string): Promise<Cell> {
  const why = agent.cannot[name]
  if (why !== undefined) return { mark: '–', why }
  const begin = performance.now()
  try {
    await using world = await agent.makeWorld(root, scenario.model, scenario.asking ?? false)
    await using scene = await setScene(agent, world)
    await scenario.play(scene)
    await scene.checkAftermath()
    return { mark: '✓', ms: performance.now() - begin }
  } catch (error) {
    return { mark: '✗', why: error instanceof Error ? error.message : String(error) }
  }
}

function say(agent: string, scenario: string, cell: Cell): void {
  const took = 'ms' in cell ? ` (${(cell.ms / 1000).toFixed(1)} s)` : ''
  console.log(`${cell.mark} ${agent}, ${scenario}${took}`)
  if (cell.mark === '✗') console.log(cell.why)
}

const root = mkdtempSync(join(tmpdir(), 'dragoman-agents-'))
const results = new Map(scenarios.map(([name]) => [name, new Map<string, Cell>()]))
const begin = performance.now()
for (const agent of agents) {
  const missing = await installCli(agent)
  if (missing !== null) console.log(missing)
  for (const [name, scenario] of scenarios) {
    const cell: Cell =
      missing === null ? await play(agent, name, scenario, root) : { mark: '✗', why: missing }
    results.get(name)?.set(agent.name, cell)
    if (missing === null) say(agent.name, name, cell)
  }
}
await rm(root, { recursive: true, force: true, maxRetries: 5 })
const cells = [...results.values()].flatMap(row => [...row.values()])
const count = (mark: Cell['mark']) => cells.filter(cell => cell.mark === mark).length
console.log(
  `\n${tableOf(
    agents.map(({ name }) => name),
    results,
  )}`,
)
const minutes = ((performance.now() - begin) / 60_000).toFixed(1)
console.log(`${count('✓')} passed, ${count('✗')} failed, ${count('–')} not possible, in ${minutes} minutes.`)
process.exitCode = count('✗') === 0 ? 0 : 1
