import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDialectV7 } from '../../protocol/dialect-v7.ts'
import { findMalformed } from '../../protocol/well-formed.ts'
import { disorder } from '../kit/disorder.arbitrary.ts'
import { translateLines } from '../kit/lossless.fixture.ts'
import { acp } from './index.ts'

describe('acp out of order', () => {
  it('[R2] [P2] the stream keeps its rules when lines are lost, repeated, changed or moved', () => {
    fc.assert(
      fc.property(disorder(join(import.meta.dirname, 'recordings')), lines => {
        const raws = lines.flatMap(line => acp.readRecorded?.(line) ?? [])
        expect(findMalformed(translateLines(acp, raws))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('[R2] [P1] an answer appears only in the message that has its question', () => {
    fc.assert(
      fc.property(disorder(join(import.meta.dirname, 'recordings')), lines => {
        const raws = lines.flatMap(line => acp.readRecorded?.(line) ?? [])
        const dialect = createDialectV7()
        const asked = new Set<string>()
        let message = ''
        for (const { thread, chunk } of translateLines(acp, raws).flatMap(each => dialect.say(each))) {
          if (chunk.type === 'start') message = `${thread} ${chunk.messageId}`
          if (chunk.type === 'tool-approval-request') asked.add(`${message} ${chunk.approvalId}`)
          if (chunk.type === 'tool-approval-response')
            expect(asked).toContain(`${message} ${chunk.approvalId}`)
        }
      }),
      { numRuns: 200 },
    )
  })
})
