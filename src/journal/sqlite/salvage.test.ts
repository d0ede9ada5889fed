import {
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBell } from '../bell.ts'
import { created, named, readAll, said } from '../journal.contract.ts'
import { openSqliteJournal, type SqliteJournal } from './open-sqlite-journal.ts'
import type { Component } from './schema.ts'
import { verify } from './verify.ts'

const session = named('s')
const pageSize = 4096
const notes: Component = {
  name: 'notes',
  migrations: [
    'create table note (text text primary key) strict; create table other (text text primary key) strict',
  ],
  vital: ['note'],
}

const open = (folder: string, troubles: string[] = []) =>
  openSqliteJournal({
    folder,
    bell: createBell(),
    components: [notes],
    onTrouble: ({ message }) => troubles.push(message),
  })

const writeNotes = (journal: SqliteJournal, table: string, texts: readonly string[]) =>
  journal.tables.write({ statements: texts.map(text => [`insert into ${table} values (?)`, [text]]) })
const countNotes = async (journal: SqliteJournal, table: string) =>
  (await journal.tables.read(`select text from ${table} order by text`, [])).length

/** A folder with a session in segments, named appends, free pages and rows of another component. */
async function filledFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-salvage-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await using journal = await open(folder)
  await journal.create(session, [created, ...Array.from({ length: 300 }, (_, i) => said(`${i}`))])
  for (let i = 0; i < 8; i++) await journal.appendOnce(session, { key: `${i}` }, [said(`once ${i}`)])
  for (const table of ['note', 'other']) await writeNotes(journal, table, ['a', 'b'])
  return folder
}

function withDatabase<T>(folder: string, use: (db: DatabaseSync) => T): T {
  using db = new DatabaseSync(join(folder, 'journal.db'), { readOnly: true })
  return use(db)
}
const rootOf = (name: string) => (folder: string) =>
  withDatabase(folder, db =>
    Number(db.prepare('select rootpage from sqlite_schema where name = ?').get(name)?.['rootpage']),
  )
/** The first page of the list of free pages; a table that is dropped fills it. */
function firstFreePage(folder: string): number {
  using db = new DatabaseSync(join(folder, 'journal.db'))
  db.exec(
    'create table dropped (bytes blob); insert into dropped values (zeroblob(100000)); drop table dropped',
  )
  db.exec('pragma wal_checkpoint(truncate)')
  return readFileSync(join(folder, 'journal.db')).readUInt32BE(32)
}

/** Flips bits at some bytes of one page of the database. */
function damage(folder: string, page: number, bytes: readonly number[]) {
  expect(page).toBeGreaterThan(0)
  const path = join(folder, 'journal.db')
  const file = readFileSync(path)
  for (const byte of bytes) {
    const at = (page - 1) * pageSize + byte
    file[at] = (file[at] ?? 0) ^ 32
  }
  writeFileSync(path, file)
}

const isSalvaged = (folder: string) => readdirSync(folder).some(name => name.startsWith('damaged-'))

/** The offset of some text on a page. */
const placeOf = (folder: string, page: number, text: Uint8Array) =>
  readFileSync(join(folder, 'journal.db'))
    .subarray((page - 1) * pageSize, page * pageSize)
    .indexOf(text)

describe('a flipped bit in a page that every session needs', () => {
  it.each([
    ['the versions of the tables', rootOf('component')],
    ['the index of the versions', rootOf('sqlite_autoindex_component_1')],
    ['the settings', rootOf('setting')],
    ['the index of the settings', rootOf('sqlite_autoindex_setting_1')],
    ['the list of sessions', rootOf('session')],
    ['the index of the sessions', rootOf('sqlite_autoindex_session_1')],
    ['the newest commits', rootOf('frame')],
    ['the names of appends', rootOf('name')],
    ['the index of the segments', rootOf('segment_place')],
    ['a table of another component', rootOf('note')],
    ['the list of free pages', firstFreePage],
  ])('[R5] in %s does not keep the folder from being used', async (_, pageOf) => {
    const folder = await filledFolder()
    const before = await read(folder)
    damage(folder, pageOf(folder), [4])
    expect((await verify(folder)).damage).not.toEqual([])
    const troubles: string[] = []
    {
      await using journal = await open(folder, troubles)
      expect(await readAll(journal, session)).toEqual(before)
      await journal.create(named('new'), [created])
      await journal.appendOnce(session, { key: 'new' }, [said('new')])
      expect((await journal.appendOnce(session, { key: '3' }, [said('again')])).repeated).toBe(true)
      for (const table of ['note', 'other']) expect(await countNotes(journal, table)).toBe(2)
    }
    expect(troubles).toEqual([expect.stringContaining('was broken')])
    expect(isSalvaged(folder)).toBe(true)
    expect((await verify(folder)).damage).toEqual([])
  })

  it('[R5] in the value that entry ids are made from does not change the ids', async () => {
    const folder = await filledFolder()
    const before = await read(folder)
    const pad = withDatabase(
      folder,
      db => db.prepare("select value from setting where name = 'pad'").get()?.['value'] as Uint8Array,
    )
    const page = rootOf('setting')(folder)
    damage(folder, page, [placeOf(folder, page, pad) + 3])
    expect(await read(folder)).toEqual(before)
  })
})

describe('damage of more than one bit', () => {
  it('[R5] in the list of sessions and its index loses no session', async () => {
    const folder = await filledFolder()
    const before = await read(folder)
    for (const name of ['session', 'sqlite_autoindex_session_1'])
      damage(folder, rootOf(name)(folder), [0, 1, 4, 5, 6, 7])
    expect(await read(folder)).toEqual(before)
  })

  it('[R5] in a table of another component empties all of its tables, so that they are filled again', async () => {
    const folder = await filledFolder()
    damage(folder, rootOf('note')(folder), [0, 3, 4])
    await using journal = await open(folder)
    for (const table of ['note', 'other']) expect(await countNotes(journal, table)).toBe(0)
    await writeNotes(journal, 'note', ['a'])
  })
})

it('[R5] damage that is only found later is reported, and repaired by the next start', async () => {
  const folder = await filledFolder()
  damage(folder, rootOf('sqlite_autoindex_other_1')(folder), [0, 3])
  {
    await using journal = await open(folder)
    await expect(countNotes(journal, 'other')).rejects.toMatchObject({
      code: 'session-damaged',
      message: expect.stringContaining('Restart Dragoman'),
    })
    expect(await readAll(journal, session)).toHaveLength(309)
  }
  expect(isSalvaged(folder)).toBe(false)
  const troubles: string[] = []
  {
    await using journal = await open(folder, troubles)
    expect(await countNotes(journal, 'other')).toBe(0)
    expect(await readAll(journal, session)).toHaveLength(309)
  }
  expect(troubles).toEqual([expect.stringContaining('was broken')])
  await using _journal = await open(folder, troubles)
  expect(troubles).toHaveLength(1)
})

it('[J9] a damaged folder of a newer version is refused and left alone', async () => {
  const folder = await filledFolder()
  {
    using db = new DatabaseSync(join(folder, 'journal.db'))
    db.exec("update component set version = 99 where name = 'notes'")
  }
  damage(folder, rootOf('name')(folder), [4])
  await expect(open(folder)).rejects.toMatchObject({ code: 'folder-newer' })
  expect(isSalvaged(folder)).toBe(false)
})

async function read(folder: string) {
  await using journal = await open(folder)
  return await readAll(journal, session)
}

describe('[R5] a log that is cut off between the death of a process and the next start', () => {
  /** A folder as a killed process left it, with only a part of its log. */
  async function cutFolder(part: number): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-cut-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const [alive, killed] = [join(folder, 'alive'), join(folder, 'killed')]
    await using journal = await open(alive)
    for (const name of ['first', 'second']) {
      await journal.create(named(name), [created])
      for (let at = 0; at < 20; at += 1) await journal.append(named(name), [said(`word ${at}`)])
    }
    cpSync(alive, killed, { recursive: true })
    const wal = join(killed, 'journal.db-wal')
    truncateSync(wal, Math.floor(statSync(wal).size * part))
    return killed
  }

  it.each([0.9, 0.6])(
    'is reported, refused at every start, and still found by verify, with %s of the log',
    async part => {
      const folder = await cutFolder(part)
      const troubles: string[] = []
      for (const _ of [1, 2]) {
        {
          await using journal = await open(folder, troubles)
          await expect(journal.append(named('second'), [said('more')])).rejects.toMatchObject({
            code: expect.stringMatching(/^(session-damaged|unknown-session)$/),
          })
        }
        expect(troubles.join()).toMatch(/Session second is damaged on disk.*are missing/)
        const report = await verify(folder)
        expect(report.damage.map(each => each.session)).toContain('second')
      }
    },
  )

  it('gives the number of a lost session to no other one', async () => {
    const folder = await cutFolder(0.6)
    {
      await using journal = await open(folder)
      await journal.create(named('third'), [created, said('hello')])
    }
    await using journal = await open(folder)
    expect(await readAll(journal, named('third'))).toHaveLength(2)
    expect((await journal.append(named('third'), [said('more')]))[0]?.seq).toBe(3)
  })

  it('is accepted when the witness is deleted', async () => {
    const folder = await cutFolder(0.9)
    await (await open(folder))[Symbol.asyncDispose]()
    rmSync(join(folder, 'journal.witness'))
    await using journal = await open(folder)
    expect(await journal.append(named('second'), [said('more')])).toHaveLength(1)
  })
})
