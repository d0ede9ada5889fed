import { asObject } from '../../protocol/json.ts'
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { numberOf, textOf, textOrNull, type Fields } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'
import { readText } from '../kit/transcript-files.ts'

/** OpenCode's stored sessions, messages and parts, in the form of its events. */
export interface StoredRows {
  sessions(): Promise<readonly Fields[]>
  /** When sessions changed last, by their ids, as far as it is stored. */
  changes(): Promise<ReadonlyMap<string, number>>
  messages(session: string): Promise<readonly Fields[]>
  parts(session: string, message: string): Promise<readonly Fields[]>
  close(): void
}

/** Opens the database of newer versions; undefined when it is not OpenCode's. */
export function openDatabase(file: string): StoredRows | undefined {
  const db = openReadOnly(file)
  const named = db.prepare(
    "select count(*) as count from sqlite_master where type = 'table' and name in ('session', 'message', 'part')",
  )
  if (named.get()?.['count'] !== 3) {
    db.close()
    return undefined
  }
  const read = (sql: string, ...values: readonly string[]) =>
    db.prepare(sql).all(...values) as unknown as readonly Fields[]
  return {
    async sessions() {
      return read('select * from session order by id').map(row => ({
        id: textOf(row, 'id'),
        ...(textOrNull(row, 'parent_id') === null ? {} : { parentID: textOf(row, 'parent_id') }),
        directory: textOf(row, 'directory'),
        title: textOf(row, 'title'),
        version: textOf(row, 'version'),
        time: { created: row['time_created'] ?? 0 },
      }))
    },
    async changes() {
      const sessions = read('select * from session')
      const changes = new Map(
        sessions.map(row => [textOf(row, 'id'), numberOf(row, 'time_updated')] as const),
      )
      const newest = [...changes].toSorted((one, other) => other[1] - one[1]).slice(0, mostLive)
      if (!hasTimes(db)) return changes
      for (const [id, at] of newest) {
        const [row = {}] = read('select max(time_updated) as at from part where session_id = ?', id)
        changes.set(id, Math.max(at, numberOf(row, 'at')))
      }
      return changes
    },
    async messages(session) {
      const rows = read(
        'select id, data from message where session_id = ? order by time_created, id',
        session,
      )
      return rows.map(row => ({ ...dataOf(row), id: textOf(row, 'id'), sessionID: session }))
    },
    async parts(session, message) {
      const rows = read('select id, data from part where message_id = ? order by id', message)
      return rows.map(row => ({
        ...dataOf(row),
        id: textOf(row, 'id'),
        messageID: message,
        sessionID: session,
      }))
    },
    close: () => db.close(),
  }
}

/**
 * If the write-ahead log is missing, OpenCode is not running, and nothing changes the file. It is then opened so that SQLite does not
 * create a log beside it.
 */
function openReadOnly(file: string): DatabaseSync {
  const url = pathToFileURL(file)
  if (usesLog(file) && !existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true, timeout: busyMs })
}

/** The header of a database says whether it has a write-ahead log. */
function usesLog(file: string): boolean {
  const header = Buffer.alloc(20)
  const opened = openSync(file, 'r')
  try {
    readSync(opened, header)
  } finally {
    closeSync(opened)
  }
  return header[18] === 2
}

const busyMs = 2000
/** OpenCode notes in a session when a prompt begins, but not each part of an answer. So the parts of these many are looked at. */
const mostLive = 10

/** Whether parts have times and the ids of their sessions, as in current versions. */
function hasTimes(db: DatabaseSync): boolean {
  const columns = db.prepare("select name from pragma_table_info('part')").all()
  return ['session_id', 'time_updated'].every(each => columns.some(({ name }) => name === each))
}

const dataOf = (row: Fields): Fields => asObject(parseJson(textOf(row, 'data')))

/** Opens the folder of older versions, with many files. */
export function openFolder(storage: string): StoredRows {
  return {
    async sessions() {
      const projects = await readdir(join(storage, 'session')).catch((): string[] => [])
      const all = await Promise.all(projects.map(project => readAll(join(storage, 'session', project))))
      return all.flat().map(({ id = '', parentID, directory = '', title = '', version = '', time = {} }) => ({
        id,
        ...(parentID === undefined ? {} : { parentID }),
        directory,
        title,
        version,
        time: { created: asObject(time)['created'] ?? 0 },
      }))
    },
    async changes() {
      const projects = await readdir(join(storage, 'session')).catch((): string[] => [])
      const all = await Promise.all(projects.map(project => readAll(join(storage, 'session', project))))
      return new Map(
        all.flat().map(row => [textOf(row, 'id'), numberOf(asObject(row['time'] ?? {}), 'updated')]),
      )
    },
    messages: session => readAll(join(storage, 'message', session)),
    parts: (_, message) => readAll(join(storage, 'part', message)),
    close: () => undefined,
  }
}

async function readAll(folder: string): Promise<readonly Fields[]> {
  const names = await readdir(folder).catch((): string[] => [])
  const files = names.filter(name => name.endsWith('.json')).toSorted()
  return Promise.all(files.map(async name => asObject(parseJson(await readText(join(folder, name))))))
}
