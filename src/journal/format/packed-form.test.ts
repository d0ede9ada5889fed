import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { created, said } from '../journal.contract.ts'
import { createAddresses } from './address.ts'
import { cutBatch, decodeFrame, encodeFrame } from './frame.ts'
import { splitEvent, storedOf, toEntry, type Run } from './run.ts'
import { encodeSegment, entriesOf, runsOf, unpack } from './segment.ts'

const idOf = createAddresses(new Uint8Array(10).fill(3)).ofSession(1)
const naming = { session: 's' as SessionId, idOf }
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
)
// Raws come from bytes that are valid UTF-8, so they hold no half characters; chunks may, by escapes.
const whole = text.map(value => value.toWellFormed())
const entry = fc.record({
  raw: fc.option(whole),
  at: fc.integer({ min: 0, max: 2 ** 45 }),
  id: fc.option(fc.uuid({ version: 7 })),
})

/** Entries as they go to the writer, cut up as it does. */
function stored(entries: readonly { raw: string | null; at: number; id: string | null }[], first = 1) {
  const events = entries.map(({ raw }) => (raw === null ? created : said(raw)))
  const parts = events.map(splitEvent)
  const numbers = [7, first, entries.length]
  for (const [index, { json, raw }] of parts.entries())
    numbers.push(
      entries[index]?.at ?? 0,
      Buffer.byteLength(json),
      raw === null ? -1 : Buffer.byteLength(raw),
      entries[index]?.id == null ? 0 : 1,
    )
  const cut = cutBatch({
    bytes: new TextEncoder().encode(parts.map(({ json, raw }) => json + (raw ?? '')).join('')),
    numbers: Float64Array.from(numbers),
    ids: entries.flatMap(({ id }) => (id === null ? [] : [id])),
  })
  return { events, cut, run: cut[0] as Run }
}

const entriesIn = (run: Run) => [...storedOf(run)].map(one => toEntry(naming, one, run.version))
const wordsIn = (runs: readonly Run[]) =>
  runs.flatMap(run => [...storedOf(run)].map(({ bytes, at }) => `${at} ${bytes.toString()}`))

describe('encoded entries', () => {
  it('[J3] a frame preserves every byte', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), fc.nat(), (entries, first) => {
        const { events, cut } = stored(entries, first + 1)
        const [back] = decodeFrame(encodeFrame(cut))
        expect(back).toMatchObject({ session: 7, first: first + 1 })
        expect(entriesIn(back as Run)).toEqual(
          entries.map(({ at, id }, index) => {
            const seq = first + 1 + index
            return { session: 's', seq, at, id: id ?? idOf(seq, at), event: events[index] }
          }),
        )
      }),
    )
  })

  it('[J3] a large frame is compressed, preserves every byte, and any flipped bit in it is detected', () => {
    const raw = (i: number) => `{"word":"${'tick '.repeat(20)}${i}"}`
    const { cut, run } = stored(
      Array.from({ length: 300 }, (_, i) => ({ raw: raw(i), at: 1000 + i, id: null })),
    )
    const frame = encodeFrame(cut)
    expect(frame.length).toBeLessThan(run.bytes.length / 5)
    expect(decodeFrame(frame)).toEqual(cut)
    for (let bit = 0; bit < frame.length * 8; bit += 1) {
      frame[bit >> 3] = (frame[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => decodeFrame(frame)).toThrow(RangeError)
      frame[bit >> 3] = (frame[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    }
  })

  it('[J3] frames of any size, in any order, compressed or not, preserve every byte', () => {
    const noise = (length: number, seed: number) =>
      Array.from({ length }, (_, i) =>
        String.fromCharCode(33 + ((i * 7919 + seed * 104_729 + i * i) % 94)),
      ).join('')
    for (const length of [10, 16_300, 16_384, 16_500, 400_000, 20]) {
      const { cut } = stored([{ raw: noise(length, length), at: 1, id: null }])
      expect(decodeFrame(encodeFrame(cut))).toEqual(cut)
    }
  })

  it('[J3] a segment preserves every byte and returns the same entries as the frame', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), entries => {
        const { run } = stored(entries)
        const unpacked = unpack(1, encodeSegment([run]))
        expect(runsOf(7, unpacked)).toEqual([run])
        expect(entriesOf(naming, unpacked)).toEqual(entriesIn(run))
      }),
    )
  })

  it('[R2] any flipped bit in a frame or a segment is detected', () => {
    const { run } = stored(
      Array.from({ length: 5 }, (_, i) => ({ raw: `{"word":${i}}`, at: 1000 + i, id: null })),
    )
    const segment = encodeSegment([run])
    for (const piece of [segment.events, segment.raws])
      for (let bit = 0; bit < piece.length * 8; bit++) {
        piece[bit >> 3] = (piece[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        const before = wordsIn([run])
        let after: readonly string[] | string
        try {
          after = wordsIn(runsOf(7, unpack(1, segment)))
        } catch (error) {
          after = String(error)
        }
        piece[bit >> 3] = (piece[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        // A flip that changes no word (an unused bit of the packing) may pass; a changed word never.
        if (typeof after !== 'string') expect(after).toEqual(before)
      }
  })
})
