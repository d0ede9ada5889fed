import { asObject } from '../../protocol/json.ts'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { textOf, textOrNull, type Fields } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'
import { readText } from '../kit/transcript-files.ts'

/** OpenCode's stored sessions, messages and parts, in the form of its events. */
export interface StoredRows {
  sessions(): Promise<readonly Fields[]>
  messages(session: string): Promise<readonly Fields[]>
  parts(session: string, message: string): Promise<readonly Fields[]>
  close(): void
}

/** Opens the database of newer versions; undefined when it is not OpenCode's. */
export function openDatabase(file: string): StoredRows | undefined {
  const db = new DatabaseSync(file, { readOnly: true })
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
