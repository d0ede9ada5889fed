import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMalformed } from '../../protocol/well-formed.ts'
import { disorder } from '../kit/disorder.arbitrary.ts'
import { translateLines } from '../kit/lossless.fixture.ts'
import { geminiCli } from './index.ts'

describe('gemini-cli out of order', () => {
  it('[R2] [P2] the stream keeps its rules when lines are lost, repeated, changed or moved', () => {
    fc.assert(
      fc.property(disorder(join(import.meta.dirname, 'recordings')), lines => {
        const raws = lines.flatMap(line => geminiCli.readRecorded?.(line) ?? [])
        expect(findMalformed(translateLines(geminiCli, raws))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
