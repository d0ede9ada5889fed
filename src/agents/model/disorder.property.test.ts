import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMalformed } from '../../protocol/well-formed.ts'
import { disorder } from '../kit/disorder.arbitrary.ts'
import { translateLines } from '../kit/lossless.fixture.ts'
import { createBlockCutter } from './wire/sse.ts'
import { model } from './index.ts'

describe('a model out of order', () => {
  it('[R2] [P2] whatever is lost, repeated, changed or moved, the stream keeps its rules', () => {
    fc.assert(
      fc.property(disorder(join(import.meta.dirname, 'recordings')), lines => {
        const raws = lines.flatMap(line => model.readRecorded?.(line) ?? [])
        expect(findMalformed(translateLines(model, raws))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('[R2] events are the same wherever the network cuts the stream', () => {
    const ends = fc.constantFrom('\n\n', '\r\n\r\n')
    const block = fc.constantFrom('data: {"a":1}', 'event: x\ndata: 2', ': ping', 'data: ü', 'data: [DONE]')
    fc.assert(
      fc.property(fc.array(block), ends, fc.array(fc.nat({ max: 7 })), (blocks, end, sizes) => {
        let left = blocks.map(each => each + end).join('')
        const cutter = createBlockCutter()
        const found: string[] = []
        for (const size of sizes) {
          found.push(...cutter.add(left.slice(0, size)))
          left = left.slice(size)
        }
        found.push(...cutter.add(left))
        const rest = cutter.rest()
        expect(rest === '' ? found : [...found, rest]).toEqual(blocks)
      }),
    )
  })
})
