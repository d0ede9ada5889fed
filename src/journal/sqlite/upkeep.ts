import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { createCheckpointing } from './checkpointing.ts'
import type { Reach } from './fault.ts'
import { headOf, type HotTails } from './hot-tails.ts'
import { pageSums, slotsIn, walSalt } from './wal-file.ts'
import { emptyWitness, openWitness, readWitness, type Head } from './witness.ts'

/** What keeps the files in order while commits go on: checkpoints, and the witness. */
export interface Upkeep extends Disposable {
  /** A commit changed about so many pages; too many of them are moved out of the log. */
  changed(pages: number): void
  /** Tells the witness how far everything has come. */
  mark(): void
  /** Empties the log, and gives back pages that are not used, if anything changed since the last time. */
  tidy(): void
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
  const witness = openWitness(join(folder, 'journal.witness'), remembered(folder, path))
  const checkpointing = createCheckpointing(db, path, witness, reach)
  // What a process that died left in the log counts too, or a row of short lives would let it grow for ever.
  let dirtyPages = slotsIn(`${path}-wal`)

  const checkpoint = (empty: boolean) => {
    reach('before-checkpoint')
    checkpointing.run(empty)
    dirtyPages = 0
    reach('after-witness')
  }
  const mark = () => {
    const changed = tails.takeChanged()
    if (changed.length === 0 && dirtyPages === 0) return
    const heads = changed.map((tail): [number, Head] => [
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
    tidy() {
      if (dirtyPages === 0) return
      db.exec('pragma incremental_vacuum(2000)')
      checkpoint(true)
      mark()
    },
    [Symbol.dispose]: () => witness[Symbol.dispose](),
  }
}

/** What the witness knew when the last process ended. */
function remembered(folder: string, path: string) {
  const state = readWitness(join(folder, 'journal.witness')) ?? emptyWitness()
  // Slots of a log that has been emptied, in case the process died before it could say so.
  if (walSalt(`${path}-wal`) === undefined) state.slots = new Uint32Array()
  if (state.pages.length === 0) state.pages = pageSums(path)
  return state
}
