import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeCode } from '../../e2e/agents/live/claude-code.ts'
import { codex } from '../../e2e/agents/live/codex.ts'
import { geminiCli } from '../../e2e/agents/live/gemini-cli.ts'
import { handingOver } from '../../e2e/agents/live/handing-over.ts'
import { lasting } from '../../e2e/agents/live/lasting.ts'
import { opencode } from '../../e2e/agents/live/opencode.ts'
import { remembering } from '../../e2e/agents/live/remembering.ts'
import { talking } from '../../e2e/agents/live/talking.ts'
import { working } from '../../e2e/agents/live/working.ts'
import { harmlessKeys } from '../protocol/rule-scope.ts'

const root = join(import.meta.dirname, '../..')
const document = readFileSync(join(root, 'docs/agents.md'), 'utf8')
const live = [claudeCode, codex, opencode, geminiCli]
const scenarios = Object.keys({ ...talking, ...working, ...lasting, ...handingOver, ...remembering })

const [head = [], , ...rows] = document
  .split('\n')
  .filter(line => line.startsWith('|'))
  .map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  )
const columns = head.map(cell => /`([^`]+)`/.exec(cell)?.[1] ?? '')
const cells = rows.flatMap(([what = '', ...row]) =>
  row.map((cell, at) => [columns[at + 1] ?? '', what, cell] as const),
)

/** The text of all tests of an agent, and of the tests of all agents. */
function testsOf(agent: string): string {
  const folders = [agent, 'remote'].map(name => join(root, 'src/agents', name))
  const all = [...folders, join(root, 'e2e/agents', agent)].flatMap(folder => {
    try {
      return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(file => join(folder, file))
    } catch {
      // Not every agent has separate scenarios.
      return []
    }
  })
  const common = readdirSync(join(root, 'src/agents')).map(file => join(root, 'src/agents', file))
  const files = [...all, ...common].filter(file => /\.test\.ts$|e2e\/agents\/.*\.ts$/.test(file))
  return files.map(file => readFileSync(file, 'utf8')).join('\n')
}

describe('docs/agents.md', () => {
  it('[A12] has a column for every real agent, and a cell for each', () => {
    expect(columns.slice(1)).toEqual(['claude-code', 'codex', 'opencode', 'gemini-cli', 'acp', 'model'])
    for (const row of rows) expect(row).toHaveLength(columns.length)
    expect(rows.length).toBeGreaterThan(15)
  })

  it.each(cells)('[A12] %s, %s: the test exists', (agent, _, cell) => {
    const name = /^`([^`]+)`$/.exec(cell)?.[1]
    if (name === undefined) return expect(cell).toMatch(/^– \S/)
    const one = live.find(each => each.name === agent)
    const isLive = one !== undefined && scenarios.includes(name) && one.cannot[name] === undefined
    expect(isLive || testsOf(agent).includes(name) || name).toBe(true)
  })

  it('[A12] lists every scenario that is run, and the versions that it is run with', () => {
    for (const name of scenarios.filter(each => each !== 'a second prompt'))
      expect(document).toContain(`\`${name}\``)
    for (const { cli } of live) expect(document).toContain(cli.version)
  })
})

it('[S10] the keys that rules do not compare are listed in docs/http.md, tool by tool', () => {
  const http = readFileSync(new URL('../../docs/http.md', import.meta.url), 'utf8')
  const table = http.split('**Keys that are not compared**')[1]?.split('\n- **')[0] ?? ''
  const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
  const listed = table.split('\n').flatMap(row => {
    const [, tools, keys] = row.split('|')
    return quoted(tools).map(tool => [tool, quoted(keys)] as const)
  })
  expect(Object.fromEntries(listed)).toEqual(harmlessKeys)
})
