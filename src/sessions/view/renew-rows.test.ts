import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { catchUp } from '../../catalogue/catch-up.ts'
import { createCatalogue } from '../../catalogue/sqlite/sqlite-catalogue.fixture.ts'
import { created, started } from '../../projections/journal.fixture.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse } from '../house.fixture.ts'
import { createPuppet } from '../puppet.fixture.ts'

it('[J9] a listed session with a row of an older version gets its new title, and those who watch hear of it', async () => {
  const db = new DatabaseSync(':memory:')
  const catalogue = createCatalogue(db)
  const { journal, sessions } = await openHouse([createPuppet()], { catalogue })
  const session = 's' as SessionId
  await journal.create(session, [created(), started('i', '/review'), started('j', 'Is the parser right?')])
  await catchUp({ journal, catalogue }, session)
  db.exec(
    `update session_summary set state_version = 13, state = json_set(state, '$.summary.title', '/review')`,
  )
  const heard: (string | null)[] = []
  using _ = sessions.watch(({ title }) => heard.push(title))
  const titles = async () => (await sessions.list({ limit: 9 })).sessions.map(({ title }) => title)
  expect(await titles()).toEqual(['/review'])
  await expect.poll(titles).toEqual(['Is the parser right?'])
  expect(heard).toEqual(['Is the parser right?'])
})
