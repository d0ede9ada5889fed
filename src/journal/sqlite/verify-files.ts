import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { expectedPages, pageSize, readWalFile, sumsInWal, type WalFile } from './wal-file.ts'
import type { WitnessState } from './witness.ts'

/** Data that differs from what was written; `session` is null if no session is known to be affected. */
export interface Damage {
  readonly session: string | null
  readonly what: string
}

/** Called with the progress, between 0 and 1. */
export type Progress = (done: number) => void

const inFile = (what: string): Damage => ({ session: null, what })

/** Compares every byte of the database file and of its log with the checksums in the witness. */
export function verifyFiles(path: string, witness: WitnessState, progress: Progress): readonly Damage[] {
  const wal = readWalFile(`${path}-wal`, { compare: true })
  return [...verifyWal(wal, witness), ...verifyPages(path, wal, witness, progress)]
}

function verifyWal(wal: WalFile | undefined, witness: WitnessState): readonly Damage[] {
  const sound = wal?.frames.filter(frame => frame.sound).length ?? 0
  const { mark } = witness
  const isMarked = mark !== null && (wal?.salt !== mark.salt || sound < mark.frames)
  const lost = isMarked ? [inFile(`some of the ${mark.frames} pages in the write-ahead log are damaged`)] : []
  if (wal === undefined || wal.size === 0) return lost
  const header = wal.headerSound
    ? []
    : [inFile('the head of the write-ahead log does not match its checksum')]
  return [...lost, ...header, ...verifySlots(wal, sound, witness)]
}

/** Slots in use are sound by SQLite's own sums; those behind them must still be what the last checkpoint saw. */
function verifySlots(wal: WalFile, sound: number, { mark, slots }: WitnessState): readonly Damage[] {
  const promised = mark?.salt === wal.salt ? mark.frames : 0
  const known = Math.max(slots.length, promised)
  const damage = wal.frames.slice(0, known).flatMap((frame, index) => {
    if (frame.sound || frame.slotSum === slots[index]) return []
    // A process that dies while it writes leaves its last slot half done, under the salt in use.
    const isUnfinished = index === sound && frame.salt === wal.salt && index >= promised
    return isUnfinished
      ? []
      : [inFile(`slot ${index + 1} of the write-ahead log differs from what was written`)]
  })
  return wal.frames.length < known ? [...damage, inFile('the write-ahead log is cut off')] : damage
}

function verifyPages(
  path: string,
  wal: WalFile | undefined,
  { pages }: WitnessState,
  progress: Progress,
): readonly Damage[] {
  // The very first start ended before the witness had seen the database.
  if (pages.length === 0) return []
  if (!existsSync(path)) return [inFile('journal.db is missing')]
  const newer = sumsInWal(wal)
  const damage: Damage[] = []
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const page = Buffer.alloc(pageSize)
    for (let no = 1; no <= Math.ceil(size / pageSize); no++) {
      const length = readSync(file, page, 0, pageSize, (no - 1) * pageSize)
      const sum = crc32(page.subarray(0, length))
      if (sum !== pages[no - 1] && newer.get(no)?.has(sum) !== true)
        damage.push(inFile(`page ${no} of journal.db differs from what was written`))
      if (no % 1024 === 0) progress((no * pageSize) / size)
    }
    if (size < expectedPages(pages.length, wal) * pageSize)
      damage.push(inFile(`journal.db is cut off: ${size} of ${pages.length * pageSize} bytes are left`))
  } finally {
    closeSync(file)
  }
  return damage
}
