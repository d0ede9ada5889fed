import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { readUsage, type Usage } from '../../../src/client/usage/index.ts'
import type { Room } from './room.ts'
import type { Scenarios } from './scenario.ts'
import { scriptedSession, words } from './scripted.ts'
import { untilIdle } from './steps.ts'

const corpus = '/work/shared/corpus/claude-code'
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

/** A count as people read it. */
const short = (count: number) =>
  count < 1000
    ? String(count)
    : count < 1e6
      ? `${(count / 1000).toFixed(count < 1e5 ? 1 : 0)}k`
      : `${(count / 1e6).toFixed(1)}M`

const total = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .first()

async function agrees(page: Page, { total: sums }: Usage): Promise<void> {
  const { input = 0, output = 0 } = sums.tokens ?? {}
  const expected = {
    Tokens: short(input + output),
    Interactions: short(sums.interactions ?? 0),
    'Tool calls': short(sums.calls ?? 0),
  }
  for (const [name, value] of Object.entries(expected)) {
    await total(page, name).waitFor()
    assert.equal(await total(page, name).innerText(), value, name)
  }
}

/** The first column of a table, or another one. */
const columnOf = (page: Page, table: string, at: number) =>
  page
    .getByRole('table', { name: table })
    .getByRole('row')
    .evaluateAll((rows, index) => rows.slice(1).map(row => row.children[index]?.textContent ?? ''), at)

/** What agents used. */
export const dashboard: Scenarios = {
  'the dashboard says plainly that nothing was used yet': {
    async play(room) {
      const page = await room.open('/dashboard')
      await page.getByText('Nothing was done in the last 30 days').waitFor()
      await page.getByRole('button', { name: 'Show all' }).click()
      await page.getByText('No agent has worked here yet').waitFor()
    },
  },
  'the dashboard shows the numbers of the sessions, in groups, and sorts its tables': {
    pace: '0',
    async play(room) {
      await useSomething(room)
      const page = await room.open('/dashboard')
      await page.getByRole('group', { name: 'Period' }).getByText('All', { exact: true }).click()
      const usage = await readUsage(room.client, { by: 'agent' })
      await agrees(page, usage)
      const { sessions } = await room.client.call('listSessions', { query: {} })
      assert.equal(usage.total.sessions, sessions.length)
      assert.equal(
        usage.total.interactions,
        sessions.reduce((sum, { interactions }) => sum + interactions, 0),
      )
      await page.getByRole('table', { name: 'By agent as a table' }).waitFor()
      const agents = await columnOf(page, 'By agent as a table', 0)
      const { agents: known } = await room.client.call('listAgents')
      const titles = new Map(known.map(({ name, title }) => [name, title]))
      const used = new Set(sessions.map(({ agent }) => titles.get(agent) ?? agent))
      assert.deepEqual(agents.toSorted(), [...used].toSorted())
      await page.getByRole('group', { name: 'Grouped by' }).getByText('Folder').click()
      await page.getByRole('table', { name: 'By folder as a table' }).getByText(room.home).waitFor()
      const calls = () => columnOf(page, 'Tools as a table', 1)
      const tools = page.getByRole('table', { name: 'Tools as a table' })
      const byCalls = tools.getByRole('columnheader', { name: 'Tool calls' })
      assert.equal(await byCalls.getAttribute('aria-sort'), 'descending')
      const down = await calls()
      await byCalls.getByRole('button').click()
      assert.equal(await byCalls.getAttribute('aria-sort'), 'ascending')
      assert.deepEqual((await calls()).map(Number), down.map(Number).toReversed())
      const { rows } = await readUsage(room.client, { by: 'tool' })
      assert.deepEqual(
        down.map(Number),
        rows.map(({ calls: count }) => count ?? 0).toSorted((one, other) => other - one),
      )
    },
  },
}
