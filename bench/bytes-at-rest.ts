import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../src/protocol/entry.ts'
import type { Event } from '../src/protocol/event.ts'
import type { ConnectionId, InteractionId, SessionId } from '../src/protocol/ids.ts'
import type { Bench } from './harness/bench.ts'
import { folderSize } from './harness/folder-size.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { eventBytes } from './load/event-bytes.ts'
import { plausibleChunks } from './load/plausible-chunks.ts'
import { createRandom, randomUuid } from './load/random.ts'
import { dealSessions, readRecordings, type Recording } from './load/recordings.ts'
import { openOurStore, type OurStore } from './stores/our-journal.ts'
import { openRowStore } from './stores/row-store.ts'

const sessionCount = 100

/** How much disk a conversation takes when it is over. */
export const bytesAtRest: Bench = {
  name: 'bytes-at-rest',
  what: '100 sessions of real recordings, lossless, with ids and times',
  beside: 'one row per event (rowid table + index on session and seq)',
  how: 'All files of our folder after a clean close, divided by the size of the database of rows after its checkpoint. Every native line and event is read back and compared.',
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    const recordings = readRecordings()
    const ours = join(folder.path, 'ours')
    const rows = join(folder.path, 'rows')
    const { payload, entries } = await fill(ours, rows, dealSessions(recordings, sessionCount))
    await compare(ours, entries)
    const [size, rowSize] = [folderSize(ours), folderSize(rows)]
    const each = (bytes: number) => `${(bytes / entries.length).toFixed(1)} B/event`
    return [
      {
        ours: each(size),
        peer: each(rowSize),
        ratio: size / rowSize,
        goal: { kind: 'at-most', ratio: 0.15 },
        note: `${entries.length} events of ${each(payload).replace('/event', '')} from ${recordings.source}`,
      },
    ]
  },
}

/** Plays every session into both stores, all at once, line by line, resting after each recording. */
async function fill(ours: string, rows: string, sessions: readonly (readonly Recording[])[]) {
  const random = createRandom(7)
  let time = 1_790_000_000_000
  await using store = await openOurStore(ours, () => (time += Math.floor(random() * 3)))
  const played = await Promise.all(sessions.map((own, no) => play(store, own, no)))
  const entries = played.flat().toSorted((a, b) => a.at - b.at)
  mkdirSync(rows)
  using table = openRowStore(join(rows, 'rows.db'), 'appended')
  for (let from = 0; from < entries.length; from += 100) table.save(entries.slice(from, from + 100))
  const payload = entries.reduce((sum, { event }) => sum + eventBytes(event), 0)
  return { payload, entries }
}

async function play({ journal }: OurStore, recordings: readonly Recording[], no: number) {
  const random = createRandom(no + 1)
  const session = randomUuid(random) as SessionId
  const agent = recordings[0]?.agent ?? ''
  const entries: Entry[] = [
    ...(await journal.create(session, [
      { type: 'session-created', agent, cwd: '/workspace', title: null, options: null },
    ])),
  ]
  for (const { lines } of recordings) {
    const interaction = randomUuid(random) as InteractionId
    const connection = randomUuid(random) as ConnectionId
    for (const [place, raw] of lines.entries()) {
      const chunks = plausibleChunks(raw, place)
      const event: Event = { type: 'agent-spoke', interaction, connection, raw, chunks }
      entries.push(...(await journal.append(session, [event])))
    }
    journal.mayPack(session)
  }
  return entries
}

/** Reads everything back from disk and refuses the smallest difference. */
async function compare(folder: string, entries: readonly Entry[]) {
  await using store = await openOurStore(folder)
  for (const [session, own] of Map.groupBy(entries, entry => entry.session)) {
    for (let after = 0; after < own.length;) {
      const page = await store.journal.read(session, after, 1000)
      if (page.length === 0) throw new Error(`Session ${session} ends at ${after} of ${own.length}.`)
      for (const entry of page)
        if (!isSame(entry, own[entry.seq - 1])) throw new Error(`Entry ${entry.id} differs.`)
      after += page.length
    }
  }
}

// Keys may have another order; the raw line and each value must be equal.
const isSame = (one: Entry, other: Entry | undefined) =>
  JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other))

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, inOrder(inner)])
}
