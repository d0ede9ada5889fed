import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMalformed } from '../../protocol/well-formed.ts'
import { disorder } from '../kit/disorder.arbitrary.ts'
import { translateLines } from '../kit/lossless.fixture.ts'
import { opencode } from './index.ts'

describe('opencode out of order', () => {
  it('[R2] [P2] the stream keeps its rules when lines are lost, repeated, changed or moved', () => {
    fc.assert(
      fc.property(disorder(join(import.meta.dirname, 'recordings')), lines => {
        expect(findMalformed(translateLines(opencode, lines))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
