import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { describeEngine } from '../engine.contract.ts'
import { openSqliteEngine } from './sqlite-engine.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-index-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0
const newPath = () => join(folder, `${++count}.db`)

describeEngine('SQLite', async () => openSqliteEngine(newPath()))

describe('the file of an index on SQLite', () => {
  const session = { agent: 'a', cwd: '/', status: 'idle', cost: null, deleted: false } as const
  const saved = { session: 's' as never, seq: 3, state: null, facts: session, removed: [], parts: [] }

  it('[J15] is made again when it is damaged, of another version, or no database', async () => {
    const spoil: readonly ((path: string) => void)[] = [
      path =>
        writeFileSync(
          path,
          'This is no database, but a text that is long enough to be read as one.'.repeat(99),
        ),
      path => {
        using db = new DatabaseSync(path)
        db.exec('pragma user_version = 99')
      },
    ]
    for (const change of spoil) {
      const path = newPath()
      {
        await using engine = openSqliteEngine(path)
        await engine.save([saved])
      }
      change(path)
      await using engine = openSqliteEngine(path)
      expect((await engine.positions()).size).toBe(0)
      await engine.save([saved])
    }
  })

  it.runIf(process.platform !== 'win32')(
    '[S11] can be read by its owner only, and so can its log',
    async () => {
      const path = newPath()
      await using engine = openSqliteEngine(path)
      await engine.save([saved])
      for (const ending of ['', '-wal', '-shm']) expect(statSync(`${path}${ending}`).mode & 0o777).toBe(0o600)
    },
  )

  /** An index with overwritten pages. */
  async function damaged(pages: (db: DatabaseSync) => readonly [from: number, to: number]): Promise<string> {
    const path = newPath()
    {
      await using engine = openSqliteEngine(path)
      await engine.save([saved])
    }
    using db = new DatabaseSync(path)
    const [from, to] = pages(db)
    writeFileSync(path, readFileSync(path).fill('x', from * 8192, to * 8192))
    return path
  }

  it('[J15] is made again when its tables of words cannot be opened', async () => {
    const path = await damaged(db => {
      const named = "select rootpage from sqlite_master where name = 'word_config'"
      const page = Number(db.prepare(named).get()?.['rootpage'])
      return [page - 1, page]
    })
    await using engine = openSqliteEngine(path)
    expect((await engine.positions()).size).toBe(0)
    await engine.save([saved])
  })

  it('[J15] is made again when a read finds it damaged', async () => {
    const path = await damaged(db => {
      const page = Number(
        db.prepare("select rootpage from sqlite_master where name = 'session'").get()?.['rootpage'],
      )
      return [page - 1, page]
    })
    await using engine = openSqliteEngine(path)
    await expect(engine.positions()).rejects.toThrow(/malformed/)
    expect((await engine.positions()).size).toBe(0)
    await engine.save([saved])
  })

  it('[J15] is noticed when it is deleted, and made again', async () => {
    const path = newPath()
    await using engine = openSqliteEngine(path)
    await engine.save([saved])
    expect(engine.check()).toBe(true)
    for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`)
    expect(engine.check()).toBe(false)
    expect(engine.check()).toBe(true)
    expect((await engine.positions()).size).toBe(0)
  })
})
