import type { EntryId } from '../../protocol/ids.ts'

/** Where an entry is: the number of its session in this database, and its seq. */
export interface Address {
  readonly session: number
  readonly seq: number
  readonly at: number
}

/**
 * The ids of a database's entries. An id is a UUID v7 whose 74 free bits are the entry's address, hidden
 * under a random pad of the database: unique like any other, but it need not be stored, and it can be
 * looked up without an index.
 */
export interface Addresses {
  /** The ids of one session, as a function of seq and time. */
  ofSession(session: number): (seq: number, at: number) => EntryId
  /** The address in an id, if it is one of ours; only the entry at that address can confirm it. */
  read(id: string): Address | undefined
}

const seqTop = 2 ** 32
/** The largest number of sessions in a database: 26 bits. */
export const maxSession = 2 ** 26 - 1
/** The largest number of entries in a session: 36 bits. */
export const maxSeq = 2 ** 36 - 1

/** Ids under the given pad of ten random bytes. */
export function createAddresses(pad: Uint8Array): Addresses {
  const view = Buffer.from(pad)
  const padA = view.readUInt16BE(0) & 0x0fff
  const padHigh = view.readUInt16BE(2) & 0x3fff
  const padMiddle = view.readUInt16BE(4)
  const padLow = view.readUInt32BE(6)

  return {
    ofSession(session) {
      const middle = (top: number) => {
        const high = 0x8000 | ((session >>> 12) ^ padHigh)
        const low = (((session & 0xfff) << 4) | top) ^ padMiddle
        return `-7${hex(padA, 3)}-${hex(high, 4)}-${hex(low, 4)}`
      }
      const usual = middle(0)
      let time = { at: -1, text: '' }
      return (seq, at) => {
        if (time.at !== at) time = { at, text: timeText(at) }
        const top = Math.floor(seq / seqTop)
        const low = ((seq % seqTop) ^ padLow) >>> 0
        return `${time.text}${top === 0 ? usual : middle(top)}${hex8(low)}` as EntryId
      }
    },
    read(id) {
      const digits = id.replaceAll('-', '')
      if (!/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(digits)) return undefined
      const field = (from: number, length: number) => Number.parseInt(digits.slice(from, from + length), 16)
      if (field(13, 3) !== padA) return undefined
      const high = (field(16, 4) & 0x3fff) ^ padHigh
      const middle = field(20, 4) ^ padMiddle
      const low = (field(24, 8) ^ padLow) >>> 0
      return {
        at: field(0, 12),
        session: (high << 12) | (middle >>> 4),
        seq: (middle & 0xf) * seqTop + low,
      }
    },
  }
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

/** Two digits for each byte: an id is made for every entry that is read. */
const bytes = Array.from({ length: 256 }, (_, byte) => hex(byte, 2))
const hex8 = (value: number) =>
  `${bytes[value >>> 24] ?? ''}${bytes[(value >>> 16) & 0xff] ?? ''}${bytes[(value >>> 8) & 0xff] ?? ''}${bytes[value & 0xff] ?? ''}`

/** The first 13 characters of a UUID v7. */
function timeText(at: number): string {
  const digits = hex(at, 12)
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}
