import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import type { Raw } from '../../protocol/event.ts'
import { asBuffer } from '../format/bytes.ts'
import { firstLink, nextLink } from '../format/checksum.ts'
import { readHotFrames } from './hot-frames.ts'
import { lastOf, storedOf, type Run, type Stored } from '../format/run.ts'
import { runsOf, unpack } from '../format/segment.ts'
import type { Damage, Progress } from './verify-files.ts'
import type { Head, WitnessState } from './witness.ts'

/** How many sessions and entries were checked, and the damage that was found. */
export interface SessionsReport {
  readonly sessions: number
  readonly entries: number
  readonly damage: readonly Damage[]
}

/** Reads every entry of every session, and compares checksums, chains and heads. */
export async function verifySessions(
  db: DatabaseSync,
  folder: string,
  witness: WitnessState,
  progress: Progress,
): Promise<SessionsReport> {
  const { hot, damage } = readHot(db)
  const heads = new Map(witness.heads)
  const rows = listSessions(db, witness, damage)
  let entries = 0
  for (const [index, { no, id }] of rows.entries()) {
    const head = heads.get(no)
    heads.delete(no)
    const result = await verifySession(db, folder, no, hot.get(no) ?? [], head)
    entries += result.entries
    if (head !== undefined && head.session !== id)
      damage.push({ session: head.session, what: 'its name is damaged' })
    if (result.what !== null) damage.push({ session: head?.session ?? id, what: result.what })
    progress((index + 1) / rows.length)
  }
  for (const { session, seq } of heads.values())
    damage.push({ session, what: `all of its ${seq} entries are missing` })
  return { sessions: rows.length, entries, damage }
}

/** The sessions of the database or, where that cannot be read, those that the witness knows. */
function listSessions(
  db: DatabaseSync,
  witness: WitnessState,
  damage: Damage[],
): readonly { no: number; id: string }[] {
  try {
    return db.prepare('select no, id from session order by no').all() as { no: number; id: string }[]
  } catch (error) {
    damage.push({ session: null, what: `the list of sessions cannot be read: ${String(error)}` })
    return [...witness.heads].map(([no, { session }]) => ({ no, id: session }))
  }
}

function readHot(db: DatabaseSync): { hot: Map<number, Run[]>; damage: Damage[] } {
  const hot = new Map<number, Run[]>()
  const damage: Damage[] = []
  const report = (what: string) => void damage.push({ session: null, what })
  try {
    for (const row of db.prepare('select lsn, damage from damaged_frame').all())
      report(`group commit ${String(row['lsn'])} was unreadable: ${String(row['damage'])}`)
    for (const frame of readHotFrames(db)) {
      if (!('runs' in frame)) report(`group commit ${frame.lsn} is unreadable: ${frame.damage}`)
      else for (const run of frame.runs) hot.set(run.session, [...(hot.get(run.session) ?? []), run])
    }
  } catch (error) {
    report(`the newest group commits cannot be read: ${String(error)}`)
  }
  return { hot, damage }
}

/** Follows one session's chain from its first entry to its head. */
async function verifySession(
  db: DatabaseSync,
  folder: string,
  no: number,
  hot: readonly Run[],
  head: Head | undefined,
): Promise<{ readonly entries: number; readonly what: string | null }> {
  const chain = { seq: 0, link: firstLink }
  const take = async (runs: readonly Run[]) => {
    for (const run of runs) {
      if (lastOf(run) <= chain.seq) continue
      if (run.first !== chain.seq + 1)
        throw new RangeError(`entries ${chain.seq + 1} to ${run.first - 1} are missing`)
      chain.link = nextLink(chain.link, run)
      chain.seq = lastOf(run)
      if (head?.seq === chain.seq && head.link !== chain.link.toString('hex'))
        throw new RangeError(`its content up to entry ${chain.seq} differs from what was saved`)
      for (const entry of storedOf(run)) await verifyOverflow(entry, folder)
    }
  }
  try {
    const segments = db.prepare(
      'select first, last, link, events, raws from segment where session = ? order by first',
    )
    for (const row of segments.iterate(no)) {
      const { first, last, link, events, raws } = row as unknown as SegmentRow
      await take(runsOf(no, unpack(first, { events: asBuffer(events), raws: asBuffer(raws) })))
      if (chain.seq !== last || !chain.link.equals(link))
        throw new RangeError(`its chain breaks at entry ${last}`)
    }
    await take(hot)
    if (head !== undefined && chain.seq < head.seq)
      throw new RangeError(`entries ${chain.seq + 1} to ${head.seq} are missing`)
    return { entries: chain.seq, what: null }
  } catch (error) {
    return {
      entries: chain.seq,
      what: `after entry ${chain.seq}: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

interface SegmentRow {
  readonly first: number
  readonly last: number
  readonly link: Uint8Array
  readonly events: Uint8Array
  readonly raws: Uint8Array
}

/** Checks the overflow file of a line that was too long for the journal. */
async function verifyOverflow({ seq, bytes, eventLength }: Stored, folder: string) {
  if (bytes.subarray(0, eventLength).indexOf('"rawFile"') < 0) return
  const { rawFile } = JSON.parse(bytes.toString('utf8', 0, eventLength)) as Raw
  if (rawFile === undefined) return
  const path = join(folder, 'overflow', rawFile.name)
  if (!existsSync(path))
    throw new RangeError(`the file of entry ${seq}, overflow/${rawFile.name}, is missing`)
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  if (hash.digest('hex') !== rawFile.sha256)
    throw new RangeError(`the file of entry ${seq}, overflow/${rawFile.name}, differs from what was written`)
}
