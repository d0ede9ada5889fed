import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { OwnHistory } from '../../agents/agent.ts'
import { lines, toolChunks } from '../context/talk.fixture.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { createPuppet, type Act } from '../puppet.fixture.ts'
import type { StrategySettings } from './configure-strategies.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-strategies-'))
afterAll(() => rmSync(folder, { recursive: true }))

function moduleOf(name: string, body: string): string {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, body)
  return file
}

/** Queries a database, and asks before the request that would hold the answer. */
const querying: Act = async ({ say, text, options }) => {
  say({ t: 'begin', agentSession: 'own' })
  for (const id of text.split(' ')) {
    say({ t: 'chunks', chunks: toolChunks(id, 'mcp__db__query', { q: id }, lines(40, id)) })
    await options.renew?.('own', [id])
  }
  say({ t: 'end' })
}

async function ask(strategies: readonly StrategySettings[], ...texts: readonly string[]) {
  const ownHistory: OwnHistory = {
    thinking: () => 'free',
    open: async () => ({ calls: null, write: async () => undefined }),
  }
  const agent = { ...createPuppet({ act: querying }), context: 'applied', ownHistory } as const
  const house: House = await openHouse([agent], { strategies })
  await using _ = house.sessions
  const { session } = await house.sessions.execute({ type: 'create', agent: 'puppet', cwd: '/' })
  for (const text of texts) {
    await house.prompt(session, text)
    await house.sessions.whenIdle(session)
  }
  const applied = await house.events(session, 'manipulation-applied')
  const refused = await house.events(session, 'manipulation-rejected')
  return { applied, refused }
}

it('[X3] a configured strategy is asked after each result, and its changes apply from then on', async () => {
  const custom = moduleOf(
    'newest',
    'export default ({ trigger, pairs }) => pairs.filter(({ call, mark }) => call !== trigger.call && mark === "active")\n' +
      '  .map(({ call }) => ({ parts: [call], to: "superseded", reason: "only the newest counts", render: "clear" }))\n',
  )
  const { applied, refused } = await ask([{ tool: 'mcp__db__query', custom }], 'one two three', 'four')
  // It sees only its own interaction: the last result of the first prompt stays.
  expect(applied.map(({ parts, to, reason }) => [parts?.at(-1)?.split('/').at(-1), to, reason])).toEqual([
    ['one.result', 'superseded', 'only the newest counts'],
    ['two.result', 'superseded', 'only the newest counts'],
  ])
  expect(refused).toEqual([])
})

it('[X3] a strategy for the end of an interaction is asked once, after the end', async () => {
  const optimise = moduleOf(
    'tidy',
    'export default ({ trigger }) => [{ parts: [trigger.call], to: "superseded", reason: "done with", render: "clear" }]\n',
  )
  const { applied } = await ask([{ tool: 'mcp__db__query', optimise }], 'one', 'two', 'three')
  const done = applied.filter(({ strategy }) => strategy === optimise)
  expect(done.map(({ parts, actor }) => [parts?.length, actor])).toEqual([
    [2, { kind: 'tool', owner: 'mcp:db', tool: 'mcp__db__query' }],
    [2, { kind: 'tool', owner: 'mcp:db', tool: 'mcp__db__query' }],
  ])
})

it('[X3] a strategy that throws, loops or changes other parts is refused, and the session continues', async () => {
  const files = {
    throws: moduleOf('throws', 'export default () => { throw new Error("no idea") }\n'),
    loops: moduleOf('loops', 'export default () => { for (;;); }\n'),
    reaches: moduleOf('reaches', 'export default () => [{ parts: ["somebody"], to: "archived" }]\n'),
  }
  for (const [name, code] of [
    ['throws', 'strategy-failed'],
    ['loops', 'strategy-too-slow'],
    ['reaches', 'unknown-part'],
  ] as const) {
    const { applied, refused } = await ask([{ tool: 'mcp__db__query', custom: files[name] }], 'one')
    expect([applied.length, refused.map(each => each.code)], name).toEqual([0, [code]])
  }
})
