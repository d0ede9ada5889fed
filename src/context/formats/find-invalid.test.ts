import { describe, expect, it } from 'vitest'
import { isUnfinished } from './arbitrary/checks.fixture.ts'
import { judged } from './arbitrary/judged.fixture.ts'
import { findInvalid, read, write } from './index.ts'

describe('the validators', () => {
  for (const [at, { format, document, fault }] of judged.entries())
    it(`[X6] ${format} ${at}: ${fault ?? 'taken as it is'}`, () => {
      expect(findInvalid(format, document)).toEqual(fault === null ? [] : [fault])
      const conversation = read(format, document)
      const { system, messages } = conversation
      expect(findInvalid(format, write({ system, messages }, format).json)).toEqual([])
      const { json } = write(conversation, format)
      const bytes = JSON.stringify(document)
      // A document without a list of messages gets one, and is then changed.
      const isKept = fault === null || (isUnfinished(fault) && bytes !== '{}')
      if (isKept) expect(JSON.stringify(json)).toBe(bytes)
      else expect(findInvalid(format, json)).toEqual([])
    })
})
