import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { catalogueMigrations } from '../../catalogue/schema.ts'
import { lockFolder } from '../../journal/sqlite/folder-lock.ts'
import { journalComponent } from '../../journal/sqlite/schema.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { Check } from './check.ts'

/** Looks at a data folder: whether it can be used, who uses it, and what is in it. */
export function checkFolder(folder: string): readonly Check[] {
  const stats = statSync(folder, { throwIfNoEntry: false })
  const name = 'data folder'
  if (stats === undefined) return [{ name, status: 'ok', detail: `${folder} will be made when it is needed` }]
  if (!stats.isDirectory())
    return [{ name, status: 'fail', detail: `${folder} is no folder`, advice: 'Use --data.' }]
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return [{ name, status: 'fail', detail: `${folder} cannot be written to`, advice: `chmod 700 ${folder}` }]
  }
  return [checkPrivacy(folder, stats.mode), checkLock(folder), checkVersions(folder)]
}

function checkPrivacy(folder: string, mode: number): Check {
  const open = (mode & 0o077) !== 0
  const detail = `${folder}${open ? ' can be read by others' : ''}`
  const advice = open ? { advice: `chmod 700 ${folder}` } : {}
  return { name: 'data folder', status: open ? 'warn' : 'ok', detail, ...advice }
}

function checkLock(folder: string): Check {
  try {
    using _lock = lockFolder(folder)
    return { name: 'lock', status: 'ok', detail: 'free' }
  } catch (error) {
    const status = isDragomanError(error, 'folder-locked') ? 'warn' : 'fail'
    return { name: 'lock', status, detail: (error as Error).message }
  }
}

function checkVersions(folder: string): Check {
  const path = join(folder, 'journal.db')
  const name = 'journal'
  if (!existsSync(path)) return { name, status: 'ok', detail: 'nothing is saved yet' }
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: 1000 })
    const rows = db.prepare('select name, version from component order by name').all()
    const newer = rows.filter(row => Number(row['version']) > (known[String(row['name'])] ?? 0))
    const detail = rows.map(row => `${String(row['name'])} version ${String(row['version'])}`).join(', ')
    if (newer.length === 0) return { name, status: 'ok', detail }
    return { name, status: 'fail', detail: `${detail}: newer than this Dragoman`, advice: 'Update Dragoman.' }
  } catch (error) {
    const detail = `cannot be read: ${(error as Error).message}`
    return { name, status: 'fail', detail, advice: 'Run "dragoman verify".' }
  }
}

const known: Readonly<Record<string, number>> = {
  journal: journalComponent.migrations.length,
  catalogue: catalogueMigrations.length,
}
