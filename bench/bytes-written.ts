import { join } from 'node:path'
import type { Entry } from '../src/protocol/entry.ts'
import type { Event } from '../src/protocol/event.ts'
import type { SessionId } from '../src/protocol/ids.ts'
import type { Bench } from './harness/bench.ts'
import { bytesWritten } from './harness/bytes-written.ts'
import { interleave, ratioOf } from './harness/interleave.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'
import { eventBytes } from './load/event-bytes.ts'
import { createNativeLines } from './load/native-lines.ts'
import { createRandom } from './load/random.ts'
import { createSpeech } from './load/spoken.ts'
import { openOurStore } from './stores/our-journal.ts'
import { openRowStore } from './stores/row-store.ts'

const sessionCount = 50
const commits = 1000
const rounds = 2

/** How much the disk is worn per word. */
export const bytesWrittenBench: Bench = {
  name: 'bytes-written',
  what: '50 sessions × 1 event a commit: bytes written to disk per byte of events',
  beside: 'one row per event, clustered by session and seq (WITHOUT ROWID)',
  how: `write_bytes of /proc/self/io over the whole run (open, ${commits} commits, checkpoints, packing, close), divided by the size of the events.`,
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    const sessions = createSessions()
    const events = sessions.flatMap(session => session.events)
    const payload = events.reduce((sum, event) => sum + eventBytes(event), 0)
    let made = 0
    let entries: readonly (readonly Entry[])[] = []
    const [own = [], others = []] = await interleave(rounds, [
      () => written(async () => (entries = await liveOurs(join(folder.path, `ours-${made++}`), sessions))),
      () => written(async () => liveRows(join(folder.path, `rows-${made++}`), entries)),
    ])
    const each = (bytes: readonly number[]) => `${(median(bytes) / payload).toFixed(2)} B/B`
    return [
      {
        ours: each(own),
        peer: each(others),
        ...ratioOf(own, others),
        goal: { kind: 'at-most', ratio: 0.2 },
        note: `${events.length} events of ${Math.round(payload / events.length)} bytes`,
      },
    ]
  },
}

interface Session {
  readonly id: SessionId
  readonly events: readonly Event[]
  /** How many of its events come at once at the start, so that sessions do not fill up in step. */
  readonly ahead: number
}

function createSessions(): readonly Session[] {
  return Array.from({ length: sessionCount }, (_, no) => {
    const ahead = Math.floor(createRandom(no)() * 256)
    const { session, hear } = createSpeech(no)
    return { id: session, events: createNativeLines(commits + ahead, no + 100).map(hear), ahead }
  })
}

async function written(live: () => Promise<unknown>): Promise<number> {
  const before = bytesWritten()
  await live()
  return bytesWritten() - before
}

/** The whole life of our journal. Gives the entries by commit, for the rows to save the same. */
async function liveOurs(
  folder: string,
  sessions: readonly Session[],
): Promise<readonly (readonly Entry[])[]> {
  await using store = await openOurStore(folder)
  const { journal } = store
  const made: (readonly Entry[])[] = []
  const together = async (save: (session: Session) => Promise<readonly Entry[]>) =>
    made.push((await Promise.all(sessions.map(save))).flat())
  await together(({ id, events, ahead }) => journal.create(id, events.slice(0, ahead)))
  for (let commit = 0; commit < commits; commit++)
    await together(({ id, events, ahead }) =>
      journal.append(id, events.slice(ahead + commit, ahead + commit + 1)),
    )
  return made
}

async function liveRows(path: string, made: readonly (readonly Entry[])[]): Promise<void> {
  using store = openRowStore(path, 'clustered')
  for (const entries of made) store.save(entries)
}
