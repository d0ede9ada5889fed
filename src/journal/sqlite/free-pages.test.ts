import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import type { Event } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { createBell } from '../bell.ts'
import { openSqliteJournal } from './open-sqlite-journal.ts'
import { verify } from './verify.ts'

const created: Event = { type: 'session-created', agent: 'a', cwd: '/', title: null, options: null }

/** A line that does not become smaller when it is packed. */
const line = (): Event => ({
  type: 'agent-spoke',
  interaction: null,
  connection: 'c' as never,
  raw: randomBytes(24_000).toString('base64'),
  chunks: [],
})

/** Which part of a database is unused. */
function unused(folder: string): number {
  using db = new DatabaseSync(join(folder, 'journal.db'), { readOnly: true })
  const count = (name: string) => Number(Object.values(db.prepare(`pragma ${name}`).get() ?? {})[0])
  return count('freelist_count') / count('page_count')
}

it('[R1] after much was saved, less than a tenth of the file is unused within a minute, and it verifies', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-free-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const sessions = Array.from({ length: 24 }, (_, index) => `s${index}` as SessionId)
  {
    await using journal = await openSqliteJournal({ folder, bell: createBell() })
    for (const session of sessions) await journal.create(session, [created])
    // Tails that are nearly full stay in frames, which take as much space again as the segments that they become.
    for (let count = 0; count < 28; count++)
      await Promise.all(sessions.map(session => journal.append(session, [line()])))
    for (const session of sessions) journal.mayPack(session)
    await expect.poll(() => unused(folder), { timeout: 20_000, interval: 20 }).toBeGreaterThan(0.3)
    await expect.poll(() => unused(folder), { timeout: 60_000 }).toBeLessThan(0.1)
  }
  const report = await verify(folder)
  expect(report.damage).toEqual([])
})
