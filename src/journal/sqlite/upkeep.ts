import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { DragomanError } from '../../protocol/error.ts'
import { createCheckpointing } from './checkpointing.ts'
import type { Reach } from './fault.ts'
import { headOf, type HotTails } from './hot-tails.ts'
import { pageSums, slotsIn, walSalt } from './wal-file.ts'
import { emptyWitness, openWitness, readWitness, type Head } from './witness.ts'

/** Checkpoints and the witness, between commits. */
export interface Upkeep extends Disposable {
  /** A commit changed about this many pages. When there are too many, they are moved out of the log. */
  changed(pages: number): void
  /** Writes the heads of changed sessions to the witness. */
  mark(): void
  /** Throws when another program changed the witness, after writing it again. */
  mend(): void
  /** Empties the log and returns some unused pages to the file system, if there is anything to do. */
  tidy(): void
  /** Whether so much of the file is unused that it should become smaller also in a short pause. */
  isMostlyUnused(): boolean
}

/** Looks after the database in a folder. */
export function createUpkeep(
  db: DatabaseSync,
  folder: string,
  tails: HotTails,
  checkpointPages: number,
  reach: Reach,
): Upkeep {
  const path = join(folder, 'journal.db')
  const witness = openWitness(join(folder, 'journal.witness'), remembered(db, folder, path))
  const checkpointing = createCheckpointing(db, path, witness, reach)
  // Pages that a dead process left in the log count too, or the log would grow with each process that dies.
  let dirtyPages = slotsIn(`${path}-wal`)
  const count = { free: db.prepare('pragma freelist_count'), all: db.prepare('pragma page_count') }
  const countFree = () => Number(count.free.get()?.['freelist_count'])
  let free = countFree()

  const checkpoint = (empty: boolean) => {
    reach('before-checkpoint')
    checkpointing.run(empty)
    dirtyPages = 0
    free = countFree()
    reach('after-witness')
  }
  const mark = () => {
    const heads = tails
      .takeChanged()
      .map((tail): [number, Head] => [
        tail.no,
        { session: tail.session, seq: headOf(tail), link: tail.link.toString('hex') },
      ])
    checkpointing.mark(new Map(heads))
  }

  return {
    changed(pages) {
      dirtyPages += pages
      if (dirtyPages >= checkpointPages) checkpoint(false)
    },
    mark,
    mend() {
      if (witness.mend()) throw changedWitness(folder)
    },
    tidy() {
      if (dirtyPages === 0 && free === 0) return
      // In slices, because a commit that comes meanwhile has to wait.
      db.exec(`pragma incremental_vacuum(${freedAtOnce})`)
      checkpoint(true)
      mark()
    },
    isMostlyUnused: () => free > freedAtOnce && free > Number(count.all.get()?.['page_count']) * muchUnused,
    [Symbol.dispose]: () => witness[Symbol.dispose](),
  }
}

const freedAtOnce = 2000
const muchUnused = 0.1

/** The state of the witness when the last process ended. */
function remembered(db: DatabaseSync, folder: string, path: string) {
  const state = readWitness(join(folder, 'journal.witness')) ?? emptyWitness()
  // The log may have been emptied just before the process died.
  if (walSalt(`${path}-wal`) === undefined) state.slots = new Uint32Array()
  if (state.pages.length > 0) return state
  state.pages = pageSums(path)
  for (const [no, head] of packedHeads(db)) if (!state.heads.has(no)) state.heads.set(no, head)
  return state
}

/** The last packed entry of each session. The next mark adds entries that are not packed yet. */
const packedHeads = (db: DatabaseSync) =>
  db
    .prepare(
      `select no, id, last, link from session join segment on segment.session = no
       where last = (select max(last) from segment where session = no)`,
    )
    .all()
    .map(({ no, id, last, link }): [number, Head] => [
      Number(no),
      { session: String(id), seq: Number(last), link: Buffer.from(link as Uint8Array).toString('hex') },
    ])

const changedWitness = (folder: string) =>
  new DragomanError(
    'save-failed',
    `Another program changed or removed ${join(folder, 'journal.witness')}. It was written again from memory.`,
  )
