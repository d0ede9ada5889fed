import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText } from './any-text.fixture.ts'
import { createBlockCutter } from './blocks.ts'
import { BoundedLexer } from './bounded-lexer.ts'
import { lexBlock } from './lex-block.ts'

const kindsOf = (text: string) => {
  const { blocks, links } = createBlockCutter().cut(text)
  return blocks.flatMap(({ raw }) => lexBlock(raw, links, false)).map(({ type, raw }) => [type, raw.trim()])
}

describe('a text in blocks', () => {
  it('[W2] is cut in the same way however it arrived', () => {
    fc.assert(
      fc.property(cutText, ({ text, cuts }) => {
        const cutter = createBlockCutter()
        for (const cut of cuts) cutter.cut(text.slice(0, cut))
        expect(cutter.cut(text)).toEqual(createBlockCutter().cut(text))
      }),
      { numRuns: 3_000 },
    )
  })

  it('[W2] has the same parts as if it were read at once', () => {
    fc.assert(
      fc.property(cutText, ({ text }) => {
        const whole = new BoundedLexer().lex(text)
        const parts = kindsOf(text).filter(([type]) => type !== 'space')
        expect(parts).toEqual(
          whole.filter(({ type }) => type !== 'space').map(({ type, raw }) => [type, raw.trim()]),
        )
      }),
      { numRuns: 2_000 },
    )
  })

  it('[W2] looks at a finished block once, whatever comes after it', () => {
    const paragraph = `${'word '.repeat(40)}\n\n`
    const cutter = createBlockCutter()
    for (let count = 1; count <= 200; count++) cutter.cut(paragraph.repeat(count))
    // Each time the two last ones are looked at, not all that came before.
    expect(cutter.work).toBeLessThan(200 * 3 * paragraph.length)
  })

  it('[W2] keeps finished blocks and addresses the same objects, so that they are not drawn again', () => {
    const cutter = createBlockCutter()
    const before = cutter.cut('one [a]\n\n[a]: https://a.example\n\ntwo\n\nthree')
    const after = cutter.cut('one [a]\n\n[a]: https://a.example\n\ntwo\n\nthree\nfour')
    expect(after.blocks[0]).toBe(before.blocks[0])
    expect(after.links).toBe(before.links)
    expect(Object.keys(after.links)).toEqual(['a'])
  })

  it('[W2] starts anew when the text became another', () => {
    const cutter = createBlockCutter()
    cutter.cut('one\n\ntwo\n\nthree\n')
    expect(cutter.cut('other\n\ntext\n\nhere\n')).toEqual(createBlockCutter().cut('other\n\ntext\n\nhere\n'))
  })
})
