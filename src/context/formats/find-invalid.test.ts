import { describe, expect, it } from 'vitest'
import { judged } from './arbitrary/judged.fixture.ts'
import { findInvalid, read, write } from './index.ts'

describe('the validators', () => {
  for (const [at, { format, document, fault }] of judged.entries())
    it(`[X6] ${format} ${at}: ${fault ?? 'taken as it is'}`, () => {
      expect(findInvalid(format, document)).toEqual(fault === null ? [] : [fault])
      const { json } = write(read(format, document), format)
      expect(findInvalid(format, json)).toEqual([])
      if (fault === null) expect(JSON.stringify(json)).toBe(JSON.stringify(document))
    })
})
