import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import { createBell } from '../bell.ts'
import { created, describeJournal, named, readAll, said } from '../journal.contract.ts'
import type { Journal } from '../journal.ts'
import { createMemoryJournal } from '../memory.ts'
import { openSqliteJournal, type SqliteJournalOptions } from './open-sqlite-journal.ts'
import { verify } from './verify.ts'
import { readWalFile } from './wal-file.ts'

const folders: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-journal-'))
  folders.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const open = (folder: string, options: Partial<SqliteJournalOptions> = {}) =>
  openSqliteJournal({ folder, bell: createBell(), ...options })

describeJournal('SQLite', bell => openSqliteJournal({ folder: newFolder(), bell }))

describe('SQLite journal on disk', () => {
  const session = named('s')

  it('[R1] returns every entry after a clean stop and continues the numbering', async () => {
    const folder = newFolder()
    {
      await using journal = await open(folder)
      await journal.create(session, [created])
      for (let i = 0; i < 700; i++) await journal.append(session, [said(`word ${i}`)])
    }
    await using journal = await open(folder)
    const entries = await readAll(journal, session)
    expect(entries.map(({ event }) => event)).toEqual([
      created,
      ...Array.from({ length: 700 }, (_, i) => said(`word ${i}`)),
    ])
    expect((await journal.append(session, [said('after')]))[0]?.seq).toBe(702)
  })

  it('[R1] a process that closes the journal during a save stays alive until it is closed', async () => {
    const folder = newFolder()
    const of = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
    const source = `
      import { setImmediate } from 'node:timers/promises'
      import { createBell } from ${of('../bell.ts')}
      import { openSqliteJournal } from ${of('./open-sqlite-journal.ts')}
      const journal = await openSqliteJournal({ folder: ${JSON.stringify(folder)}, bell: createBell() })
      await journal.create('s', ${JSON.stringify([created])})
      const saved = journal.append('s', ${JSON.stringify([said('x')])})
      await setImmediate()
      await journal[Symbol.asyncDispose]()
      console.log('closed', (await saved).length)`
    const script = join(newFolder(), 'close.mjs')
    writeFileSync(script, source)
    const child = spawnSync(process.execPath, [script])
    expect([child.status, child.stdout.toString()], child.stderr.toString()).toEqual([0, 'closed 1\n'])
  })

  it('[X10] cuts long appends into segments that are quick to read from', async () => {
    const folder = newFolder()
    {
      await using journal = await open(folder)
      await journal.create(session, [created])
      for (let i = 0; i < 3; i++)
        await journal.append(
          session,
          Array.from({ length: 1500 }, (_, k) => said(`${i} ${k}`)),
        )
    }
    const db = new DatabaseSync(join(folder, 'journal.db'), { readOnly: true })
    const sizes = db.prepare('select last - first + 1 as size from segment order by first').all()
    expect(db.prepare('select count(*) as frames from frame').get()).toEqual({ frames: 0 })
    db.close()
    expect(Math.max(...sizes.map(row => Number(row['size'])))).toBeLessThanOrEqual(512)
    await using journal = await open(folder)
    expect((await readAll(journal, session)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 4501 }, (_, i) => i + 1),
    )
  })

  it('[X10] saves an append that fills a segment as segments at once, together with the entries before it', async () => {
    const folder = newFolder()
    const count = (db: DatabaseSync, sql: string) => Number(db.prepare(sql).get()?.['n'])
    {
      await using journal = await open(folder)
      await journal.create(session, [created])
      await journal.append(session, [said('before')])
      const many = Array.from({ length: 600 }, (_, i) => said(`word ${i} é`))
      expect((await journal.append(session, many)).map(({ seq }) => seq)).toEqual(many.map((_, i) => i + 3))
      using db = new DatabaseSync(join(folder, 'journal.db'), { readOnly: true })
      expect(count(db, 'select max(last) as n from segment')).toBe(602)
      expect(count(db, 'select coalesce(max(lsn), 0) as n from frame')).toBeLessThanOrEqual(2)
      expect((await journal.append(session, [said('after')]))[0]?.seq).toBe(603)
    }
    expect(await verify(folder)).toEqual({ sessions: 1, entries: 603, damage: [] })
    await using journal = await open(folder)
    expect((await readAll(journal, session)).map(({ event }) => event)).toEqual([
      created,
      said('before'),
      ...Array.from({ length: 600 }, (_, i) => said(`word ${i} é`)),
      said('after'),
    ])
  })

  it('[R1] loses no entries and leaves no hole when an append that fills a segment does not fit on the disk', async () => {
    const folder = newFolder()
    const noise = () => said(Array.from({ length: 200 }, () => Math.random().toString(36)).join(''))
    {
      await using journal = await open(folder, { maxPages: 60 })
      await journal.create(session, [created, said('before')])
      const tooMuch = Array.from({ length: 600 }, noise)
      await expect(journal.append(session, tooMuch)).rejects.toMatchObject({ code: 'disk-full' })
      expect(await journal.head(session)).toBe(2)
      await expect
        .poll(() =>
          journal.append(session, [said('small')]).then(
            ([entry]) => entry?.seq,
            () => 0,
          ),
        )
        .toBe(3)
    }
    expect((await verify(folder)).damage).toEqual([])
    await using journal = await open(folder)
    expect((await readAll(journal, session)).map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  it('[R1] the log does not grow when several processes in a row are killed', async () => {
    const folder = newFolder()
    const script = new URL('../../../e2e/damage-writer.ts', import.meta.url).pathname
    const sizes: number[] = []
    for (let life = 0; life < 8; life++) {
      const child = spawn(process.execPath, [script, folder, '3', '12', 'die'], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      await once(child, 'exit')
      sizes.push(statSync(join(folder, 'journal.db-wal')).size)
    }
    expect(Math.max(...sizes.slice(1))).toBeLessThan((sizes[0] ?? 0) * 2.5)
  })

  it('[J9] refuses a second process on the same folder with an error that names the first', async () => {
    const folder = newFolder()
    await using _first = await open(folder)
    await expect(open(folder)).rejects.toMatchObject({
      code: 'folder-locked',
      message: expect.stringContaining(`process ${process.pid}`),
    })
  })

  it('[J9] refuses a folder written by a newer version and leaves it alone', async () => {
    const folder = newFolder()
    await (await open(folder))[Symbol.asyncDispose]()
    const db = new DatabaseSync(join(folder, 'journal.db'))
    db.exec("update component set version = 99 where name = 'journal'")
    db.close()
    await expect(open(folder)).rejects.toMatchObject({ code: 'folder-newer' })
  })

  it('[J2] numbers large and small appends of one turn in the order of the calls', async () => {
    await using journal = await open(newFolder())
    await journal.create(session, [said('0')])
    const sizes = [100, 80_000, 10, 70_000, 500_000, 5]
    const saved = await Promise.all(
      sizes.map((size, at) => journal.append(session, [said(`${at} ${'x'.repeat(size)}`)])),
    )
    expect(saved.flat().map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6, 7])
    expect(await journal.read(session, 1, 10)).toEqual(saved.flat())
  })

  it('[R1] never acknowledges an append that failed, reports why, and continues when there is room again', async () => {
    const folder = newFolder()
    {
      await using journal = await open(folder, { maxPages: 60 })
      await journal.create(session, [created])
      const noise = () => said(Array.from({ length: 3000 }, () => Math.random().toString(36)).join(''))
      let saved = 1
      const failure = await (async () => {
        for (; saved < 100; saved++) await journal.append(session, [noise()])
      })().catch((error: unknown) => error)
      expect(failure).toMatchObject({ code: 'disk-full' })
      expect(await journal.head(session)).toBe(saved)
      expect(await readAll(journal, session)).toHaveLength(saved)
    }
    await using journal = await open(folder)
    const before = await journal.head(session)
    expect((await journal.append(session, [said('room again')]))[0]?.seq).toBe(before + 1)
    expect((await readAll(journal, session)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: before + 1 }, (_, i) => i + 1),
    )
  })

  it('[R1] goes on without a hole in the same process after a commit failed', async () => {
    const folder = newFolder()
    {
      await using journal = await open(folder, { maxPages: 60 })
      await journal.create(session, [created])
      const noise = () => said(Array.from({ length: 3000 }, () => Math.random().toString(36)).join(''))
      await expect(
        (async () => {
          for (;;) await Promise.all([journal.append(session, [noise()]), journal.append(session, [noise()])])
        })(),
      ).rejects.toMatchObject({ code: 'disk-full' })
      const retry = () => journal.append(session, [said('small')]).then(([entry]) => entry?.seq)
      const head = await journal.head(session)
      await expect.poll(() => retry().catch(() => 0)).toBeGreaterThan(0)
      const seqs = (await readAll(journal, session)).map(({ seq }) => seq)
      expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, i) => i + 1))
      expect(seqs.length).toBeGreaterThan(head)
    }
    await using journal = await open(folder)
    const seqs = (await readAll(journal, session)).map(({ seq }) => seq)
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, i) => i + 1))
    expect((await journal.append(session, [said('after')]))[0]?.seq).toBe(seqs.length + 1)
  })

  it('[R1] a row of a table that does not fit fails its whole batch, as a full disk does', async () => {
    const components = [
      { name: 'notes', migrations: ['create table note (text text not null unique) strict'] },
    ]
    await using journal = await open(newFolder(), { maxPages: 80, components })
    await journal.create(session, [created])
    // When a statement for several rows fails, SQLite undoes only that statement, and the transaction stays open.
    const write = (text: string) =>
      journal.tables.write({ statements: [["insert into note values ('short'), (?)", [text]]] })
    const full = { status: 'rejected', reason: expect.objectContaining({ code: 'disk-full' }) as unknown }
    const both = await Promise.allSettled([
      journal.append(session, [said('with the row')]),
      write('x'.repeat(1_000_000)),
    ])
    expect(both).toMatchObject([full, full])
    // Rows that are written before the failure is known build on those that failed, so they fail too.
    const failing = write('x'.repeat(1_000_000))
    await new Promise(setImmediate)
    expect(await Promise.allSettled([failing, write('later')])).toMatchObject([full, full])
    // A row that its table refuses for another reason takes nothing with it.
    const refused = await Promise.allSettled([
      journal.append(session, [said('alone')]),
      journal.tables.write({ statements: [['insert into nowhere values (?)', ['x']]] }),
    ])
    expect(refused).toMatchObject([
      { status: 'fulfilled', value: [{ seq: 2 }] },
      { status: 'rejected', reason: expect.objectContaining({ code: 'save-failed' }) as unknown },
    ])
    expect(await journal.head(session)).toBe(2)
  })

  it('[R5] finds a flipped bit and a truncation anywhere in the database', async () => {
    const folder = newFolder()
    {
      await using journal = await open(folder)
      for (const name of ['a', 'b'])
        await journal.create(named(name), [
          created,
          ...Array.from({ length: 600 }, (_, i) => said(`${name} ${i}`)),
        ])
    }
    const path = join(folder, 'journal.db')
    const whole = readFileSync(path)
    for (let at = 7; at < whole.length; at += 4001) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] ?? 0) ^ 16
      writeFileSync(path, damaged)
      expect((await verify(folder)).damage, `byte ${at}`).not.toEqual([])
    }
    writeFileSync(path, whole.subarray(0, Math.floor(whole.length / 2)))
    expect((await verify(folder)).damage).not.toEqual([])
    writeFileSync(path, whole)
    expect(await verify(folder)).toEqual({ sessions: 2, entries: 1202, damage: [] })
  })

  it('[R5] finds a truncation and a flipped bit in the newest commits of a killed process', async () => {
    const folder = newFolder()
    const script = new URL('../../../e2e/damage-writer.ts', import.meta.url).pathname
    const child = spawn(process.execPath, [script, folder, '3', '30', 'kill'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const path = join(folder, 'journal.db-wal')
    const whole = readFileSync(path)
    const { entries, damage } = await verify(folder)
    expect([entries, damage]).toEqual([93, []])
    const used = readWalFile(path, { compare: true })?.frames.findLastIndex(({ sound }) => sound) ?? 0
    for (let slot = used; slot > used - 4; slot--) {
      const at = 32 + slot * (24 + 4096)
      writeFileSync(path, whole.subarray(0, at + 100))
      expect((await verify(folder)).damage, `cut in slot ${slot}`).not.toEqual([])
      const flipped = Buffer.from(whole)
      flipped[at + 2000] = (flipped[at + 2000] ?? 0) ^ 1
      writeFileSync(path, flipped)
      expect((await verify(folder)).damage, `flip in slot ${slot}`).not.toEqual([])
    }
  })

  it('[R5] opens a database with a flipped bit in its header, keeps the damaged file, and loses no session', async () => {
    const folder = newFolder()
    {
      await using journal = await open(folder)
      await journal.create(session, [created, ...Array.from({ length: 300 }, (_, i) => said(`${i}`))])
    }
    const path = join(folder, 'journal.db')
    for (const at of [0, 16, 28]) {
      const damaged = readFileSync(path)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      writeFileSync(path, damaged)
      const troubles: string[] = []
      await using journal = await open(folder, { onTrouble: error => troubles.push(error.message) })
      expect(troubles).toEqual([expect.stringContaining('was broken')])
      expect(journal.recent).toEqual([session])
      expect(await readAll(journal, session)).toHaveLength(301)
    }
    expect((await verify(folder)).damage).toEqual([])
  })

  it('[J8] packing and reopening do not change what is read', () =>
    fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 60 }), async actions => {
        const folder = newFolder()
        const reference = createMemoryJournal(createBell())
        let journal = await open(folder)
        for (const step of actions) {
          if (step.type === 'reopen') {
            await journal[Symbol.asyncDispose]()
            journal = await open(folder)
          } else await Promise.all([perform(journal, step), perform(reference, step)])
        }
        for (const name of ['a', 'b', 'c'].map(named)) {
          const [ours, theirs] = await Promise.all([events(journal, name), events(reference, name)])
          expect(ours).toEqual(theirs)
        }
        await journal[Symbol.asyncDispose]()
      }),
      { numRuns: propertyRuns(15) },
    ))
})

const sessions = fc.constantFrom('a', 'b', 'c').map(named)
const action = fc.oneof(
  { weight: 2, arbitrary: fc.record({ type: fc.constant('create' as const), session: sessions }) },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('append' as const),
      session: sessions,
      raws: fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { minLength: 1, maxLength: 120 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('once' as const),
      session: sessions,
      key: fc.constantFrom('1', '2'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('rest' as const), session: sessions }) },
  { weight: 1, arbitrary: fc.constant({ type: 'reopen' as const }) },
)
type Action = Exclude<typeof action extends fc.Arbitrary<infer T> ? T : never, { type: 'reopen' }>

async function perform(journal: Journal, step: Action): Promise<void> {
  const ignoreRefusal = () => undefined
  switch (step.type) {
    case 'create':
      await journal.create(step.session, [created]).catch(ignoreRefusal)
      return
    case 'append':
      await journal.append(step.session, step.raws.map(said)).catch(ignoreRefusal)
      return
    case 'once':
      await journal
        .appendOnce(step.session, { key: step.key }, [said(`once ${step.key}`)])
        .catch(ignoreRefusal)
      return
    case 'rest':
      journal.mayPack(step.session)
      return
  }
}

const events = async (journal: Journal, session: SessionId) =>
  (await readAll(journal, session).catch(() => [])).map(({ seq, event }) => ({ seq, event }))
