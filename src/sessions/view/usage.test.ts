import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { scripted } from '../../agents/scripted/index.ts'
import { createCatalogue } from '../../catalogue/sqlite/sqlite-catalogue.fixture.ts'
import { catchUp } from '../../catalogue/catch-up.ts'
import { zoneOf } from '../../catalogue/days.ts'
import { created, ended, finish, spoke, start, started } from '../../projections/journal.fixture.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse } from '../house.fixture.ts'

const usage = {
  type: 'data-usage',
  data: { tokens: { input: 7, output: 1, cacheRead: 0, cacheWrite: 0 }, cost: 0.5, model: null },
} as const

it('[W6] [J9] sessions with rows of an older version are counted in the background, and shown as waiting meanwhile', async () => {
  const db = new DatabaseSync(':memory:')
  const catalogue = createCatalogue(db)
  const { journal, sessions } = await openHouse([scripted], { catalogue })
  for (const id of ['one', 'two'] as SessionId[]) {
    await journal.create(id, [
      created(),
      started('i'),
      spoke('i', null, start('m'), usage, finish),
      ended('i'),
    ])
    await catchUp({ journal, catalogue }, id)
  }
  // As if the table of usage were new.
  db.exec("delete from spent where session = 'one'")
  db.exec("update session_summary set state_version = 6 where session = 'one'")
  const read = () =>
    sessions.usage({ to: Number.MAX_SAFE_INTEGER, zone: zoneOf('UTC'), by: ['agent'], demo: true })
  expect(await read()).toMatchObject({ waiting: 1, total: { cost: 0.5, sessions: 2 } })
  await expect.poll(read).toMatchObject({ waiting: 0, total: { cost: 1 } })
})
