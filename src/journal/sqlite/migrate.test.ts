import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from './migrate.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-migrate-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const first = 'create table note (text text) strict'
const second =
  "alter table note add column at integer; update note set at = 1; insert into note values ('new', 2)"
const open = () => new DatabaseSync(join(folder, 'journal.db'))
const backups = () => {
  try {
    return readdirSync(join(folder, 'backups'))
  } catch {
    // No folder, no backups.
    return []
  }
}

describe('migrations', () => {
  it('[J9] run once, forward, after a backup', () => {
    using db = open()
    migrate(db, [{ name: 'notes', migrations: [first] }], folder)
    expect(backups()).toEqual([])
    db.exec("insert into note values ('old')")
    migrate(db, [{ name: 'notes', migrations: [first, second] }], folder)
    migrate(db, [{ name: 'notes', migrations: [first, second] }], folder)
    expect(db.prepare('select * from note').all()).toMatchObject([
      { text: 'old', at: 1 },
      { text: 'new', at: 2 },
    ])
    expect(backups()).toHaveLength(1)
    using backup = new DatabaseSync(join(folder, 'backups', backups()[0] ?? ''), { readOnly: true })
    expect(backup.prepare('select * from note').all()).toEqual([{ text: 'old' }])
  })

  it('[J9] change nothing when any statement fails', () => {
    const steps = second.split(';')
    for (let stop = 0; stop <= steps.length; stop++) {
      using db = open()
      migrate(db, [{ name: 'notes', migrations: [first] }], folder)
      const before = db.prepare('select * from note').all()
      const broken = [...steps.slice(0, stop), 'insert into nowhere values (1)', ...steps.slice(stop)].join(
        ';',
      )
      expect(() => migrate(db, [{ name: 'notes', migrations: [first, broken] }], folder)).toThrow(/nowhere/)
      expect(db.prepare('select * from note').all()).toEqual(before)
      expect(db.prepare('select version from component').all()).toEqual([{ version: 1 }])
      migrate(db, [{ name: 'notes', migrations: [first] }], folder)
    }
  })

  it('[J9] refuse a database of a newer version', () => {
    using db = open()
    migrate(db, [{ name: 'notes', migrations: [first, second] }], folder)
    expect(() => migrate(db, [{ name: 'notes', migrations: [first] }], folder)).toThrow(/newer Dragoman/)
  })
})
