import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import { makeFolder } from './make-folder.ts'
import type { Component } from './schema.ts'

/** Brings every component of the database to its newest version: forward only, all or nothing, after a backup. */
export function migrate(db: DatabaseSync, components: readonly Component[], folder: string): void {
  db.exec('create table if not exists component (name text primary key, version integer not null) strict')
  const versions = new Map(components.map(component => [component.name, versionOf(db, component)]))
  const behind = components.filter(({ name, migrations }) => (versions.get(name) ?? 0) < migrations.length)
  if (behind.length === 0) return
  if ([...versions.values()].some(version => version > 0)) backUp(db, folder)

  db.exec('begin immediate')
  try {
    for (const { name, migrations } of behind) {
      for (const script of migrations.slice(versions.get(name))) db.exec(script)
      db.prepare('insert or replace into component values (?, ?)').run(name, migrations.length)
    }
    db.exec('commit')
  } catch (error) {
    db.exec('rollback')
    throw error
  }
}

/** Refuses a damaged database of a newer version, as far as its versions can still be read. */
export function refuseNewer(db: DatabaseSync, components: readonly Component[]): void {
  try {
    for (const component of components) versionOf(db, component)
  } catch (error) {
    if (isDragomanError(error)) throw error
  }
}

function versionOf(db: DatabaseSync, { name, migrations }: Component): number {
  const version = Number(
    db.prepare('select version from component where name = ?').get(name)?.['version'] ?? 0,
  )
  if (version <= migrations.length) return version
  throw new DragomanError(
    'folder-newer',
    `This data folder was written by a newer Dragoman (${name} version ${version}, this one supports ${migrations.length}). ` +
      'Update Dragoman, or use another folder with --data.',
  )
}

/** A copy from before the migration, complete or not there at all. */
function backUp(db: DatabaseSync, folder: string) {
  const backups = join(folder, 'backups')
  const path = join(backups, `journal-${new Date().toISOString().replaceAll(':', '-')}.db`)
  makeFolder(backups)
  rmSync(`${path}.part`, { force: true })
  db.prepare('vacuum into ?').run(`${path}.part`)
  renameSync(`${path}.part`, path)
}
