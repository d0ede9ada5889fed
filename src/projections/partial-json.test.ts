import { parsePartialJson } from 'ai'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPartialJson } from './partial-json.ts'

const valueOf = (...pieces: readonly string[]) => {
  const json = createPartialJson()
  for (const piece of pieces) json.push(piece)
  return json.value()
}

describe('createPartialJson', () => {
  it('[P6] gives the same value as the AI SDK for any beginning of a JSON text', async () => {
    const texts = fc
      .tuple(fc.jsonValue(), fc.nat(2))
      .map(([value, indent]) => JSON.stringify(value, null, indent))
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(), async (whole, at) => {
        const beginning = whole.slice(0, at % (whole.length + 1))
        expect(valueOf(beginning)).toEqual((await parsePartialJson(beginning)).value)
      }),
      { numRuns: 3000 },
    )
  })

  it('[R2] gives the same value as the AI SDK for text that is not JSON', async () => {
    const signs = fc.constantFrom(
      ...'{}[]",:\\ u0a1+-.eEtrfn'.split(''),
      'true',
      '"a":',
      '__proto__',
      '"constructor":{"prototype"',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(signs), async pieces => {
        expect(valueOf(...pieces)).toEqual((await parsePartialJson(pieces.join(''))).value)
      }),
      { numRuns: 3000 },
    )
  })

  it('gives the same value however often it is read', () => {
    fc.assert(
      fc.property(fc.json(), fc.array(fc.nat(), { maxLength: 5 }), (whole, cuts) => {
        const json = createPartialJson()
        const places = [...cuts.map(cut => cut % (whole.length + 1)), whole.length].toSorted((a, b) => a - b)
        for (const [index, place] of places.entries()) {
          json.push(whole.slice(places[index - 1] ?? 0, place))
          expect(json.value()).toEqual(valueOf(whole.slice(0, place)))
        }
      }),
    )
  })

  it('shows an incomplete input', () => {
    expect(valueOf('{"path": "src/a', '.ts", "li')).toEqual({ path: 'src/a.ts' })
    expect(valueOf('{"lines": [1, 2')).toEqual({ lines: [1, 2] })
    expect(valueOf('')).toBeUndefined()
  })
})
