import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { lockFolder } from './folder-lock.ts'
import { isBroken } from './needs-salvage.ts'
import { copyReadable } from './salvage.ts'
import { verifyFiles, type Damage, type Progress } from './verify-files.ts'
import { verifySessions, type SessionsReport } from './verify-sessions.ts'
import { readWitness, type WitnessState } from './witness.ts'

/** Looks for damage in a data folder: every byte of the files, every entry of every session. Changes nothing. */
export async function verify(folder: string, progress: Progress = () => {}): Promise<SessionsReport> {
  const path = join(folder, 'journal.db')
  const witness = readWitness(join(folder, 'journal.witness'))
  if (witness === undefined && !existsSync(path)) return { sessions: 0, entries: 0, damage: [] }
  using _lock = lockFolder(folder)

  const damage: Damage[] = []
  if (witness?.isReadable !== true) damage.push({ session: null, what: unwitnessed(witness) })
  else if (witness.damagedLines > 0)
    damage.push({ session: null, what: `${witness.damagedLines} lines of journal.witness are damaged` })
  if (witness !== undefined) damage.push(...verifyFiles(path, witness, done => progress(done / 2)))
  const content = await verifyContent(path, folder, witness, done => progress(0.5 + done / 2))
  return { ...content, damage: [...content.damage, ...damage] }
}

const unwitnessed = (witness: WitnessState | undefined) =>
  `journal.witness ${witness === undefined ? 'is missing' : 'cannot be read'}, so only the checksums within the database ` +
  'were compared: cut-off ends and changes outside of entries may go unnoticed'

async function verifyContent(
  path: string,
  folder: string,
  witness: WitnessState | undefined,
  progress: Progress,
): Promise<SessionsReport> {
  if (!existsSync(path)) return allLost(witness, 'the database is missing')
  // A truncated database is copied and filled with zeros, to see which sessions are complete.
  const readable = witness !== undefined && isBroken(path, witness) ? join(folder, 'verify-copy.db') : path
  if (witness !== undefined && readable !== path) copyReadable(path, readable, witness)
  const db = new DatabaseSync(readable, { readOnly: true, timeout: 5000 })
  try {
    const report = await verifySessions(
      db,
      folder,
      witness ?? ({ heads: new Map() } as WitnessState),
      progress,
    )
    return { ...report, damage: [...report.damage, ...checkTables(db)] }
  } catch (error) {
    return allLost(
      witness,
      `the database cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  } finally {
    db.close()
    if (readable !== path)
      for (const end of ['', '-wal', '-shm']) rmSync(`${readable}${end}`, { force: true })
  }
}

/** SQLite's own look at its trees, indexes and references. */
function checkTables(db: DatabaseSync): readonly Damage[] {
  try {
    const lines = db
      .prepare('pragma integrity_check')
      .all()
      .map(row => String(row['integrity_check']))
    const orphans = db.prepare('pragma foreign_key_check').all()
    return [
      ...lines
        .filter(line => line !== 'ok')
        .map(what => ({ session: null, what: `SQLite reports: ${what}` })),
      ...(orphans.length === 0
        ? []
        : [{ session: null, what: `${orphans.length} rows belong to no session` }]),
    ]
  } catch (error) {
    return [{ session: null, what: `SQLite stopped the check: ${String(error)}` }]
  }
}

const allLost = (witness: WitnessState | undefined, what: string): SessionsReport => ({
  sessions: 0,
  entries: 0,
  damage: [
    { session: null, what },
    ...[...(witness?.heads.values() ?? [])].map(({ session }) => ({ session, what })),
  ],
})
