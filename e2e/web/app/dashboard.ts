import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { costWords, readUsage, wholeCost, type Usage } from '../../../src/client/usage/index.ts'
import { until } from './looking.ts'
import type { Room } from './room.ts'
import type { Scenarios } from './scenario.ts'
import { scriptedSession, words } from './scripted.ts'
import { untilIdle } from './steps.ts'

const corpus = join(import.meta.dirname, '../../../../shared/corpus/claude-code')
const main = join(import.meta.dirname, '../../../src/cli/main.ts')

/** Sessions with some use: of scripts, and of real transcripts where there are some. */
async function useSomething(room: Room): Promise<void> {
  const { client } = room
  const calls = ['Read', 'Read', 'Bash'].map(tool => ({ tool, input: { path: 'a' }, output: 'done' }))
  const failed = { tool: 'Grep', input: { pattern: 'x' }, error: 'Nothing was found.' }
  for (const text of ['one', 'two']) {
    const session = await scriptedSession(room, [{ type: 'tools', calls: [...calls, failed] }, words(text)])
    await client.call('prompt', { params: { session }, body: { text } })
    await untilIdle(room, session)
  }
  if (!existsSync(corpus)) return
  await room.server[Symbol.asyncDispose]()
  for (const name of readdirSync(corpus).toSorted().slice(0, 2))
    spawnSync(process.execPath, [main, 'import', join(corpus, name), '--data', join(room.home, 'data')], {
      env: { PATH: process.env['PATH'], HOME: room.home },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  await room.start()
}

/** A short count. */
const short = (count: number) =>
  count < 1000
    ? String(count)
    : count < 1e6
      ? `${(count / 1000).toFixed(count < 1e5 ? 1 : 0)}k`
      : `${(count / 1e6).toFixed(1)}M`

/** Waits until a sum is this: those of the time that was chosen before stay until the new ones are there. */
const untilTotal = (page: Page, name: string, value: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .getByText(value, { exact: true })
    .waitFor()

/** The cost is the sum of what was reported and what is estimated, and the page says how much is estimated. */
async function agreesOnCosts(page: Page, { total: { costs } }: Usage): Promise<void> {
  const said = costWords(costs, dollars)
  if (said === null) return
  await untilTotal(page, 'Cost', dollars(wholeCost(costs) ?? 0))
  const [, about] = said.split(', ')
  if (about !== undefined) await untilTotal(page, 'Cost', about)
}

const dollars = (cost: number): string =>
  `$${cost >= 1 || cost === 0 ? cost.toFixed(2) : cost.toFixed(cost >= 0.01 ? 3 : 4)}`

async function agrees(page: Page, { total: sums }: Usage): Promise<void> {
  const { input = 0, output = 0 } = sums.tokens ?? {}
  const expected = {
    Tokens: short(input + output),
    Turns: short(sums.interactions ?? 0),
    'Tool calls': short(sums.calls ?? 0),
  }
  for (const [name, value] of Object.entries(expected)) await untilTotal(page, name, value)
}

/** The current content of a table column. */
const columnOf = (page: Page, table: string, at: number) =>
  page
    .getByRole('table', { name: table })
    .getByRole('row')
    .evaluateAll((rows, index) => rows.slice(1).map(row => row.children[index]?.textContent ?? ''), at)

/** Waits until a column has these in this order. */
const untilColumn = (page: Page, table: string, at: number, cells: readonly string[]) =>
  until(`“${table}” has ${cells.join(', ')}`, async () =>
    isDeepStrictEqual(await columnOf(page, table, at), cells),
  )

/** The file of blocks has a line for each block of the server, and the titles. */
async function downloadsBlocks(page: Page, { client }: Room): Promise<void> {
  const blocks = await readUsage(client, { by: 'block', demo: '1' })
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download usage by block as CSV' }).click()
  const file = await (await download).path()
  assert.equal(readFileSync(file, 'utf8').trim().split('\r\n').length, blocks.rows.length + 1)
}

/** What agents used. */
export const dashboard: Scenarios = {
  'the dashboard shows that there is no usage yet': {
    async play(room) {
      const page = await room.open('/dashboard?demo=1')
      await page.getByText('No activity in the last 30 days').waitFor()
      await page.getByRole('button', { name: 'Show all' }).click()
      await page.getByText('No usage yet').waitFor()
    },
  },
  'the dashboard shows the usage of the sessions, in groups, and sorts its tables': {
    pace: '0',
    async play(room) {
      await useSomething(room)
      const page = await room.open('/dashboard?demo=1')
      await page.getByRole('group', { name: 'Period' }).getByText('All', { exact: true }).click()
      const usage = await readUsage(room.client, { by: 'agent', demo: '1' })
      await agrees(page, usage)
      await agreesOnCosts(page, usage)
      await downloadsBlocks(page, room)
      const { sessions } = await room.client.call('listSessions', { query: {} })
      assert.equal(usage.total.sessions, sessions.length)
      assert.equal(
        usage.total.interactions,
        sessions.reduce((sum, { interactions }) => sum + interactions, 0),
      )
      const { agents: known } = await room.client.call('listAgents')
      const titles = new Map(known.map(({ name, title }) => [name, title]))
      const used = new Set(sessions.map(({ agent }) => titles.get(agent) ?? agent))
      await until('all used agents are in the table', async () => {
        const agents = await columnOf(page, 'By agent as a table', 0)
        return isDeepStrictEqual(agents.toSorted(), [...used].toSorted())
      })
      await page.getByRole('group', { name: 'Group by' }).getByText('Folder').click()
      await page.getByRole('table', { name: 'By folder as a table' }).getByText(room.home).waitFor()
      const { rows } = await readUsage(room.client, { by: 'tool', demo: '1' })
      const calls = rows.map(row => row.calls ?? 0).toSorted((one, other) => other - one)
      const table = 'Tools as a table'
      const byCalls = page
        .getByRole('table', { name: table })
        .getByRole('columnheader', { name: 'Tool calls' })
      await untilColumn(page, table, 1, calls.map(String))
      assert.equal(await byCalls.getAttribute('aria-sort'), 'descending')
      await byCalls.getByRole('button').click()
      await untilColumn(page, table, 1, calls.toReversed().map(String))
      assert.equal(await byCalls.getAttribute('aria-sort'), 'ascending')
    },
  },
}
