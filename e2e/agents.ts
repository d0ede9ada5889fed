import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { claudeCode } from './agents/live/claude-code.ts'
import { importing } from './agents/live/importing.ts'
import { installCli, olderOf } from './agents/live/clis.ts'
import { codex } from './agents/live/codex.ts'
import { costs } from './agents/live/costs.ts'
import { geminiCli } from './agents/live/gemini-cli.ts'
import { handingOver } from './agents/live/handing-over.ts'
import { lasting } from './agents/live/lasting.ts'
import type { LiveAgent } from './agents/live/live-agent.ts'
import { opencode } from './agents/live/opencode.ts'
import { remembering } from './agents/live/remembering.ts'
import { rules } from './agents/live/rules.ts'
import type { Scenario } from './agents/live/scenario.ts'
import { setScene } from './agents/live/scene.ts'
import { ownSuiteName, playOwnSuite } from './agents/live/own-suite.ts'
import { tableOf, type Cell } from './agents/live/table.ts'
import { talking } from './agents/live/talking.ts'
import { trusting } from './agents/live/trusting.ts'
import { working } from './agents/live/working.ts'

/*
 * The real agents, offline, each in an empty environment against a fake of its model, through the real server and client:
 * npm run test:agents -- [--agent NAME …] [--only PART …] [--short] [--jobs N] [--versions newest|older|both]
 */

const all: readonly LiveAgent[] = [claudeCode, codex, opencode, geminiCli]
const { values } = parseArgs({
  options: {
    agent: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
    short: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
    versions: { type: 'string' },
  },
})
const { versions = values.short ? 'newest' : 'both' } = values
const agents = all
  .filter(({ name }) => values.agent.length === 0 || values.agent.includes(name))
  .flatMap(agent => [
    ...(versions === 'older' ? [] : [agent]),
    ...(versions === 'newest' ? [] : [olderOf(agent)]),
  ])
const labelOf = ({ name, cli }: LiveAgent) => `${name} ${cli.version}`
const isWanted = (name: string) => values.only.length === 0 || values.only.some(part => name.includes(part))
const scenarios = Object.entries({
  ...talking,
  ...working,
  ...lasting,
  ...handingOver,
  ...remembering,
  ...rules,
  ...costs,
  ...importing,
  ...trusting,
}).filter(([name, { isLong = false }]) => !(values.short && isLong) && isWanted(name))
const names = [
  ...scenarios.map(([name]) => name),
  ...(!values.short && isWanted(ownSuiteName) ? [ownSuiteName] : []),
]
if (agents.length === 0 || names.length === 0) throw new Error('There is nothing to do by these names.')

async function play(agent: LiveAgent, scenario: Scenario, root: string): Promise<void> {
  await using world = await agent.makeWorld(root, scenario.model, scenario.asking ?? false)
  await using scene = await setScene(agent, world)
  await scenario.play(scene)
  await scene.checkAftermath(scenario.unreported)
}

async function cellOf(agent: LiveAgent, name: string, root: string): Promise<Cell> {
  const isOwn = name === ownSuiteName
  const why = agent.isOlder === true && isOwn ? 'it is written for the newest release' : agent.cannot[name]
  if (why !== undefined) return { mark: '–', why }
  const scenario = scenarios.find(([each]) => each === name)?.[1]
  const begin = performance.now()
  try {
    await (scenario === undefined ? playOwnSuite(agent) : play(agent, scenario, root))
    return { mark: '✓', ms: performance.now() - begin }
  } catch (error) {
    return { mark: '✗', why: error instanceof Error ? error.message : String(error) }
  }
}

async function playAll(agent: LiveAgent, root: string): Promise<void> {
  const missing = await installCli(agent)
  if (missing !== null) console.log(missing)
  for (const name of names) {
    const cell: Cell = missing === null ? await cellOf(agent, name, root) : { mark: '✗', why: missing }
    results.get(name)?.set(labelOf(agent), cell)
    if (missing === null) say(labelOf(agent), name, cell)
  }
}

function say(agent: string, scenario: string, cell: Cell): void {
  const took = 'ms' in cell ? ` (${(cell.ms / 1000).toFixed(1)} s)` : ''
  console.log(`${cell.mark} ${agent}, ${scenario}${took}`)
  if (cell.mark === '✗') console.log(cell.why)
}

const root = mkdtempSync(join(tmpdir(), 'dragoman-agents-'))
const results = new Map(names.map(name => [name, new Map<string, Cell>()]))
const begin = performance.now()
const waiting = [...agents]
const work = async () => {
  for (let agent; (agent = waiting.shift()) !== undefined;) await playAll(agent, root)
}
await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, work))
await rm(root, { recursive: true, force: true, maxRetries: 5 })
const cells = [...results.values()].flatMap(row => [...row.values()])
const count = (mark: Cell['mark']) => cells.filter(cell => cell.mark === mark).length
console.log(`\n${tableOf(agents.map(labelOf), results)}`)
const minutes = ((performance.now() - begin) / 60_000).toFixed(1)
console.log(`${count('✓')} passed, ${count('✗')} failed, ${count('–')} not possible, in ${minutes} minutes.`)
process.exitCode = count('✗') === 0 ? 0 : 1
