import { isObject } from '../../protocol/json.ts'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import { documents } from '../formats/arbitrary/documents.arbitrary.ts'
import { wild } from '../formats/arbitrary/wild.arbitrary.ts'
import { isList, listAt } from '../formats/look.ts'
import { findInvalid } from '../formats/read.ts'
import { write } from '../formats/write.ts'
import { conversationOf, flatten, type LegacyFormat, migrate } from './index.ts'
import { uuidV5 } from './uuid-v5.ts'

const formats: readonly LegacyFormat[] = ['anthropic-messages', 'openai-chat', 'ui-messages']
const either = (format: LegacyFormat) =>
  fc.oneof(documents[format], wild(documents[format])).filter(json => isList(json) || isObject(json))

describe('migrating old arrays', () => {
  for (const format of formats) {
    it(`[X9] ${format}: flattening what was migrated gives the very same bytes`, () => {
      fc.assert(
        fc.property(either(format), json => {
          expect(JSON.stringify(flatten(migrate('s', format, json)))).toBe(JSON.stringify(json))
        }),
        { numRuns: propertyRuns(200) },
      )
    })

    it(`[X9] ${format}: migrating twice changes nothing, a longer array keeps the ids`, () => {
      fc.assert(
        fc.property(either(format), json => {
          const once = migrate('s', format, json)
          expect(migrate('s', format, flatten(once))).toEqual(once)
          const list = isList(json) ? json : listAt(json, 'messages')
          const shorter = migrate('s', format, list.slice(0, -1))
          const ids = migrate('s', format, list).interactions.flatMap(({ messages }) =>
            messages.map(({ id }) => id),
          )
          expect(shorter.interactions.flatMap(({ messages }) => messages.map(({ id }) => id))).toEqual(
            ids.slice(0, -1),
          )
          expect(new Set(ids).size).toBe(ids.length)
        }),
        { numRuns: propertyRuns(100) },
      )
    })

    it(`[X9] ${format}: what goes into the context is valid for its provider`, () => {
      fc.assert(
        fc.property(either(format), json => {
          const { json: written } = write(conversationOf(migrate('s', format, json)), format)
          expect(findInvalid(format, written)).toEqual([])
        }),
        { numRuns: propertyRuns(200) },
      )
    })
  }

  it('[X9] a UUID v5 is the same as that of Node', () => {
    const space = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'
    const expected = (name: string) => {
      const bytes = createHash('sha1')
        .update(Buffer.from(space.replaceAll('-', ''), 'hex'))
        .update(name)
        .digest()
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
      return bytes.toString('hex', 0, 16)
    }
    expect(uuidV5('www.example.com', space)).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
    const long = `x${'🎈'.repeat(1 << 19)}`
    expect(uuidV5(long, space).replaceAll('-', '')).toBe(expected(long))
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), name => {
        expect(uuidV5(name, space).replaceAll('-', '')).toBe(expected(name))
      }),
      { numRuns: propertyRuns(300) },
    )
  })
})
