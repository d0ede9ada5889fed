import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { createBell } from '../bell.ts'
import { created, named, said } from '../journal.contract.ts'
import { openSqliteJournal } from './open-sqlite-journal.ts'
import { verify } from './verify.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-verify-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const open = (folder: string) => openSqliteJournal({ folder, bell: createBell(), now: () => 1_000 })

const words = (name: string) => Array.from({ length: 900 }, (_, index) => said(`${name} ${index}`))

/** A folder with two sessions of 901 entries each, packed into several segments. */
async function filledFolder(): Promise<string> {
  const folder = newFolder()
  await using journal = await open(folder)
  for (const name of ['a', 'b']) await journal.create(named(name), [created, ...words(name)])
  return folder
}

/** Changes the database behind the back of the journal. */
function tamper(folder: string, sql: string): void {
  const db = new DatabaseSync(join(folder, 'journal.db'))
  db.exec(`pragma foreign_keys = off; ${sql}`)
  db.close()
}

/** The damage of sessions, without the damage of the file itself. */
async function damageIn(folder: string): Promise<readonly (readonly [string, string])[]> {
  const { damage } = await verify(folder)
  return damage.flatMap(({ session, what }) => (session === null ? [] : [[session, what] as const]))
}

it.each([
  [
    'its last entries',
    'delete from segment where session = 1 and last = 901',
    /entries \d+ to 901 are missing$/,
  ],
  [
    'entries in the middle',
    'delete from segment where session = 1 and first > 1 and last < 901',
    /entries \d+ to \d+ are missing$/,
  ],
  ['all of its entries', 'delete from segment where session = 1', /entries 1 to 901 are missing$/],
  [
    'the session itself',
    'delete from segment where session = 1; delete from session where no = 1',
    /all of its 901 entries are missing$/,
  ],
  ['its name', "update session set id = 'c' where no = 1", /name is damaged$/],
  [
    'a link of its chain',
    'update segment set link = zeroblob(32) where session = 1 and first = 1',
    /chain breaks at entry \d+$/,
  ],
  [
    'its words, replaced by whole words of another session',
    `delete from segment where session = 1;
     insert into segment select 1, first, last, link, events, raws from segment where session = 2`,
    /up to entry 901 differs from what was saved$/,
  ],
])('[R5] verify names the one session that lost %s', async (_, sql, what) => {
  const folder = await filledFolder()
  expect(await verify(folder)).toEqual({ sessions: 2, entries: 1802, damage: [] })
  tamper(folder, sql)
  expect(await damageIn(folder)).toEqual([['a', expect.stringMatching(what)]])
})

it('[R5] without a readable list of sessions, verify checks those that the witness lists', async () => {
  const folder = await filledFolder()
  tamper(folder, 'alter table session rename to lost; delete from segment where session = 2')
  const { sessions, entries, damage } = await verify(folder)
  expect([sessions, entries]).toEqual([2, 901])
  expect(damage.filter(({ session }) => session !== null)).toEqual([
    { session: 'b', what: expect.stringMatching(/entries 1 to 901 are missing$/) as string },
  ])
  expect(damage).toContainEqual({
    session: null,
    what: expect.stringMatching(/list of sessions cannot be read/) as string,
  })
})

it('[R5] an unreadable group commit is still reported after the journal was opened again', async () => {
  const folder = await filledFolder()
  tamper(folder, "insert into frame values (999, x'0102')")
  const commits = async () =>
    (await verify(folder)).damage.map(({ what }) => what).filter(what => what.includes('group commit 999'))
  expect(await commits()).toEqual([expect.stringContaining('is unreadable')])
  await (await open(folder))[Symbol.asyncDispose]()
  expect(await commits()).toEqual([expect.stringContaining('was unreadable')])
  expect(await damageIn(folder)).toEqual([])
})

it('[R5] [J3] verify checks the overflow file of a long line', async () => {
  const folder = newFolder()
  const line = 'x'.repeat(5_000)
  const name = 'long-line'
  const path = join(folder, 'overflow', name)
  {
    await using journal = await open(folder)
    const sha256 = createHash('sha256').update(line).digest('hex')
    const long = { ...said('long'), raw: 'x', rawFile: { name, bytes: line.length, sha256 } }
    await journal.create(named('a'), [created, long])
    await journal.create(named('b'), [created, said('"rawFile" is only a word here')])
  }
  mkdirSync(join(folder, 'overflow'))
  writeFileSync(path, line)
  expect((await verify(folder)).damage).toEqual([])
  writeFileSync(path, `${line.slice(1)}y`)
  expect(await damageIn(folder)).toEqual([
    ['a', expect.stringMatching(/entry 2, overflow\/long-line, differs from what was written$/)],
  ])
  rmSync(path)
  expect(await damageIn(folder)).toEqual([
    ['a', expect.stringMatching(/entry 2, overflow\/long-line, is missing$/)],
  ])
})
