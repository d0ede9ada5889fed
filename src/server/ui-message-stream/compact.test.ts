import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldMessage } from '../../projections/fold-message.ts'
import { wellFormedStream } from '../../projections/well-formed-stream.arbitrary.ts'
import type { Chunk } from '../../protocol/chunk.ts'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { compact } from './compact.ts'
import { isChunk } from './item.ts'
import { mainMessages, recordings } from './recordings.fixture.ts'
import { readWith, sdks } from './sdk-readers.fixture.ts'

const compacted = (chunks: readonly Chunk[]) => compact(chunks).filter(isChunk)

/** Cuts chunks anywhere, and compacts each piece by itself. */
function inPieces(chunks: readonly Chunk[], cuts: readonly number[]): readonly Chunk[] {
  const places = [0, ...cuts.map(cut => cut % (chunks.length + 1)).toSorted((a, b) => a - b), chunks.length]
  return places.slice(1).flatMap((end, index) => compacted(chunks.slice(places[index], end)))
}

const lint = (chunks: readonly Chunk[]) => assertWellFormed(chunks.map(chunk => ({ thread: null, chunk })))

describe('compact', () => {
  it('[P6] gives the same message, whatever is compacted together', () => {
    fc.assert(
      fc.property(wellFormedStream(), fc.array(fc.nat(), { maxLength: 4 }), (chunks, cuts) => {
        const fewer = inPieces(chunks, cuts)
        expect(foldMessage(fewer)).toEqual(foldMessage(chunks))
        expect(fewer.length).toBeLessThanOrEqual(chunks.length)
        lint(fewer)
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  it('[P6] gives the same message at every point after a cut', () => {
    fc.assert(
      fc.property(wellFormedStream(), fc.nat(), fc.nat(), (chunks, at, more) => {
        const cut = at % (chunks.length + 1)
        const end = cut + (more % (chunks.length - cut + 1))
        const seen = [...compacted(chunks.slice(0, cut)), ...chunks.slice(cut, end)]
        expect(foldMessage(seen)).toEqual(foldMessage(chunks.slice(0, end)))
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  it.each(recordings)('[T3] %s: joined at any point, it is the same message', name => {
    for (const chunks of mainMessages(name)) {
      const whole = foldMessage(chunks)
      for (let cut = 0; cut <= chunks.length; cut++) {
        const joined = [...compacted(chunks.slice(0, cut)), ...chunks.slice(cut)]
        expect(foldMessage(joined)).toEqual(whole)
        lint(joined)
      }
    }
  })

  it.each(recordings)(
    '[P1] %s: the first and the latest clients of v6 and v7 read it from any point',
    async name => {
      for (const chunks of mainMessages(name)) {
        const cuts = [0, 1, 0.3, 0.6].map(share => Math.floor(share * chunks.length))
        for (const sdk of Object.values(sdks)) {
          const whole = await readWith(sdk, chunks)
          for (const cut of cuts)
            expect(await readWith(sdk, [...compacted(chunks.slice(0, cut)), ...chunks.slice(cut)])).toEqual(
              whole,
            )
        }
      }
    },
  )

  it('[P1] keeps one delta of a finished part, none of an input, and the last data', () => {
    for (const name of recordings)
      for (const chunks of mainMessages(name)) {
        const fewer = compacted(chunks)
        const deltas = fewer.flatMap(chunk => ('delta' in chunk ? [`${chunk.type} ${chunk.id}`] : []))
        expect(new Set(deltas).size).toBe(deltas.length)
        const isWhole = (id: string) =>
          fewer.some(each => each.type === 'tool-input-available' && each.toolCallId === id)
        for (const chunk of fewer)
          if (chunk.type === 'tool-input-delta') expect(isWhole(chunk.toolCallId)).toBe(false)
      }
  })
})
