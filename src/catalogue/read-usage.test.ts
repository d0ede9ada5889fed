import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { createBell } from '../journal/bell.ts'
import { createMemoryJournal } from '../journal/memory.ts'
import {
  call,
  created,
  ended,
  failure,
  finish,
  output,
  spoke,
  start,
  started,
} from '../projections/journal.fixture.ts'
import type { Chunk } from '../protocol/chunk.ts'
import type { Event } from '../protocol/event.ts'
import type { InteractionId, SessionId } from '../protocol/ids.ts'
import { catchUp } from './catch-up.ts'
import { zoneOf } from './days.ts'
import type { UsageFilter } from './read-usage.ts'
import { createCatalogue } from './sqlite/sqlite-catalogue.fixture.ts'
import { createSqliteCatalogue } from './sqlite/sqlite-catalogue.ts'

const used = (input: number, cost: number | null, model = 'big'): Chunk => ({
  type: 'data-usage',
  data: { tokens: { input, output: 1, cacheRead: 0, cacheWrite: 0 }, cost, model },
})

const hour = 3_600_000

function open() {
  let now = 0
  const db = new DatabaseSync(':memory:')
  const catalogue = createCatalogue(db)
  const journal = createMemoryJournal(createBell(), () => now)
  const house = { journal, catalogue }
  return {
    ...house,
    db,
    /** Saves events of a session, one at each of these moments. */
    async tell(session: string, ...told: readonly (readonly [at: number, event: Event])[]) {
      const id = session as SessionId
      for (const [at, event] of told) {
        now = at
        if (event.type === 'session-created') await journal.create(id, [event])
        else await journal.append(id, [event])
      }
      await catchUp(house, id)
    },
    usage: (filter: Partial<UsageFilter> = {}) =>
      catalogue.usage({ to: 1e12, zone: zoneOf('UTC'), by: ['day'], now: 100 * hour, ...filter }),
  }
}

const work = (...chunks: readonly Chunk[]) => spoke('i', null, start('m'), ...chunks, finish)

it('[W6] sums up by day of a zone, agent, model, folder and tool, and says what is unknown', async () => {
  const house = open()
  await house.tell(
    's',
    [0, created()],
    [22 * hour, started('i')],
    [22.5 * hour, work(used(10, 0.5), call('c'), output('c'), call('d', 'Bash'), failure('d'))],
    [23 * hour, ended('i', 'failed')],
  )
  await house.tell('t', [0, created()], [30 * hour, started('i')], [31 * hour, work(used(5, null, 'small'))])
  const days = await house.usage()
  expect(days.rows.map(({ day, cost, time, calls }) => ({ day, cost, time, calls }))).toEqual([
    { day: '1970-01-01', cost: 0.5, time: hour, calls: 2 },
    // What has not ended has run until now.
    { day: '1970-01-02', cost: null, time: 70 * hour, calls: null },
  ])
  expect(days.total).toMatchObject({
    sessions: 2,
    cost: 0.5,
    tokens: { input: 15, output: 2 },
    interactions: 2,
    calls: 2,
    failures: { interactions: 1, calls: 1 },
  })
  expect(days.unknown).toEqual({ sessions: 1, messages: 1 })
  const berlin = await house.usage({ zone: zoneOf('120') })
  expect(berlin.rows.map(({ day }) => day)).toEqual(['1970-01-02'])
  const models = await house.usage({ by: ['model'] })
  expect(models.rows).toMatchObject([
    { model: 'big', cost: 0.5, time: null, calls: null },
    { model: 'small', cost: null },
  ])
  expect((await house.usage({ by: ['agent', 'folder'] })).rows).toMatchObject([
    { agent: 'scripted', folder: '/', cost: 0.5, interactions: 2, calls: 2 },
  ])
  expect((await house.usage({ by: ['tool'] })).rows).toMatchObject([
    { tool: 'Bash', cost: null, calls: 1, failures: { calls: 1, interactions: null } },
    { tool: 'Read', calls: 1, failures: { calls: 0 } },
  ])
  expect((await house.usage({ from: 24 * hour })).total).toMatchObject({ interactions: 1, calls: 0 })
  await expect(house.usage({ by: ['model', 'tool'] })).rejects.toMatchObject({ code: 'invalid-input' })
})

it('[W6] what was merged or branched from elsewhere is not counted twice, and what is deleted not at all', async () => {
  const house = open()
  const story = [started('i'), work(used(10, 0.5), call('c'), output('c')), ended('i')]
  const told = story.map((event, index) => [index + 1, event] as const)
  const elsewhere = { from: 's' as SessionId, seq: 4, chunks: [] }
  await house.tell('s', [0, created()], ...told)
  await house.tell('b', [0, created()], ...told, [
    9,
    { type: 'session-branched', message: 'm', ...elsewhere },
  ])
  await house.tell(
    'm',
    [0, created()],
    [1, started('own')],
    [2, spoke('own', null, start('own'), used(1, 1), finish)],
    [3, ended('own')],
    ...told,
    [9, { type: 'interactions-merged', interactions: ['i' as InteractionId], ...elsewhere }],
  )
  expect((await house.usage()).total).toMatchObject({
    cost: 1.5,
    tokens: { input: 11 },
    interactions: 2,
    calls: 1,
  })
  await house.tell('s', [10, { type: 'session-deleted' }])
  expect((await house.usage()).total).toMatchObject({ cost: 1, interactions: 1, calls: 0, sessions: 1 })
})

it('[W6] a total is unknown, not 0, where no message reported a cost', async () => {
  const house = open()
  await house.tell('s', [0, created()], [1, started('i')], [2, work(used(5, null))])
  expect((await house.usage()).total).toMatchObject({ cost: null, tokens: { input: 5 } })
})

it('[W6] counts calls from an index alone, and the use of a few days from these days alone', async () => {
  const house = open()
  await house.tell('s', [0, created()], [1, started('i')], [2, work(used(1, 1), call('c'), output('c'))])
  const plans: string[] = []
  const { db } = house
  const catalogue = createSqliteCatalogue({
    write: async () => {},
    async read(sql, cells) {
      const steps = db.prepare(`explain query plan ${sql}`).all(...cells)
      plans.push(...steps.map(step => String(step['detail'])))
      return []
    },
  })
  await catalogue.usage({ from: 1, to: 3, zone: zoneOf('UTC'), by: ['day', 'agent'], now: 3 })
  const looked = plans.filter(step => /^(SEARCH|SCAN) (spent|interaction|tool_call)\b/.test(step))
  // The first and the last moment are at the ends of an index.
  for (const step of looked) expect(step).toMatch(/^SEARCH \w+ USING (COVERING )?INDEX \w+_at|^SEARCH \w+$/)
  expect(looked.filter(step => step.includes('tool_call_at (start_at>? AND start_at<?)'))).toHaveLength(1)
  expect(looked.filter(step => step.startsWith('SEARCH tool_call USING INDEX'))).toEqual([])
})
