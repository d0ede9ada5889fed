import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import type { Tables } from '../../journal/sqlite/tables.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { noCuts } from '../charges.ts'
import { zoneOf } from '../days.ts'
import type { InteractionFilter } from '../list-interactions.ts'
import type { WorkFilter } from '../list-work.ts'
import type { UsageFilter } from '../read-usage.ts'
import { listInteractions } from './list-interactions.ts'
import { listWork } from './list-work.ts'
import { listSessions } from './list-sessions.ts'
import { readSessionCharges } from './read-charges.ts'
import { readUsage } from './read-usage.ts'
import { createTables } from './sqlite-catalogue.fixture.ts'

const s = 's' as SessionId

/** How the statements of a list are carried out: the table that each step looks into, and by which columns. */
async function stepsOf(list: (tables: Tables) => Promise<unknown>): Promise<readonly string[]> {
  const db = new DatabaseSync(':memory:')
  const tables = createTables(db)
  const steps: string[] = []
  await list({
    ...tables,
    async read(sql, parameters) {
      const plan = db.prepare(`explain query plan ${sql}`).all(...parameters)
      steps.push(...plan.map(({ detail }) => String(detail)))
      return tables.read(sql, parameters)
    },
  })
  return steps
}

const filters: readonly Omit<WorkFilter, 'limit'>[] = [
  {},
  { cursor: '12.3' },
  { interaction: 'i' },
  { message: 'm' },
  { tool: 'Bash' },
  { tool: 'run' },
  { outcome: 'failure' },
  { outcome: 'failure', cursor: '12.3' },
  { thread: 't' },
]

it.each(filters)(
  '[X10] a page of the work log by %o is found, whatever the length of the session',
  async filter => {
    const steps = await stepsOf(tables => listWork(tables, s, { limit: 10, ...filter }))
    const [first = '', ...rest] = steps
    const columns =
      Object.keys(filter).length > 0 ? /^SEARCH .*\(session=\? AND / : /^SEARCH .*tool_call_place/
    expect(first).toMatch(columns)
    // Only the rows of one message are sorted; all others come in order.
    expect(rest.length).toBe('message' in filter ? 1 : 0)
  },
)

it.each([{}, { before: 12 }, { state: 'open' }] satisfies readonly Omit<InteractionFilter, 'limit'>[])(
  '[X10] a page of interactions by %o is found, whatever the length of the session',
  async filter => {
    const steps = await stepsOf(tables => listInteractions(tables, s, { limit: 10, ...filter }))
    const looks = steps.filter(step => / (interaction|message|tool_call)( |$)/.test(step))
    expect(looks.length).toBeGreaterThanOrEqual(3)
    expect(looks.filter(look => look.startsWith('SCAN'))).toEqual([])
    for (const look of looks.filter(each => / (message|tool_call) /.test(each)))
      expect(look).toContain('interaction=?')
  },
)

it('[W6] counts calls from an index only, and reads the usage of a few days from the rows of these days only', async () => {
  const filter: UsageFilter = { from: 1, to: 3, zone: zoneOf('UTC'), by: ['day', 'agent'], now: 3 }
  const steps = await stepsOf(tables => readUsage(tables, filter))
  const looked = steps.filter(step => /^(SEARCH|SCAN) (spent|request|interaction|tool_call)\b/.test(step))
  // The first and the last moment are at the ends of an index.
  for (const step of looked)
    expect(step).toMatch(
      /^SEARCH \w+ USING (COVERING )?INDEX \w+_(at|asked|edit)\b|^SEARCH \w+$|^SEARCH (spent|request) USING PRIMARY KEY/,
    )
  expect(looked.filter(step => step.includes('tool_call_at (start_at>? AND start_at<?)'))).toHaveLength(1)
  const calls = looked.filter(step => step.startsWith('SEARCH tool_call USING INDEX'))
  expect(calls.filter(step => !/tool_call_(asked|edit) \(start_at>\? AND start_at<\?\)/.test(step))).toEqual(
    [],
  )
})

it('[W8] what listed sessions cost is read from their rows only', async () => {
  const steps = await stepsOf(tables => readSessionCharges(tables, [s], async () => noCuts))
  const looked = steps.filter(step => /^(SEARCH|SCAN) (spent|request|main)\b/.test(step))
  expect(looked.length).toBeGreaterThan(4)
  for (const step of looked) expect(step).toMatch(/^SEARCH \w+ USING PRIMARY KEY \(session=\?/)
})

it('[W1] pinned sessions are found without looking at the others', async () => {
  const steps = await stepsOf(tables => listSessions(tables, { pinned: true, limit: 9 }))
  expect(steps).toEqual([expect.stringContaining('session_pinned')])
})
