import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText } from './any-text.fixture.ts'
import { createBlockCutter, lexBlock } from './blocks.ts'
import { BoundedLexer } from './bounded-lexer.ts'

const kindsOf = (text: string) => {
  const { blocks, links } = createBlockCutter().cut(text)
  return blocks.flatMap(({ raw }) => lexBlock(raw, links, false)).map(({ type, raw }) => [type, raw.trim()])
}

describe('text in blocks', () => {
  it('[W2] is split in the same way however it arrived', () => {
    fc.assert(
      fc.property(cutText, ({ text, cuts }) => {
        const cutter = createBlockCutter()
        for (const cut of cuts) cutter.cut(text.slice(0, cut))
        expect(cutter.cut(text)).toEqual(createBlockCutter().cut(text))
      }),
      { numRuns: 3_000 },
    )
  })

  it('[W2] has the same parts as if it were parsed at once', () => {
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

  it('[W2] parses a finished block once, whatever follows', () => {
    const paragraph = `${'word '.repeat(40)}\n\n`
    const cutter = createBlockCutter()
    for (let count = 1; count <= 200; count++) cutter.cut(paragraph.repeat(count))
    // Each time only the last two are parsed, not all earlier ones.
    expect(cutter.work).toBeLessThan(200 * 3 * paragraph.length)
  })

  it('[W2] keeps the same objects for finished blocks and addresses, so that they are not rendered again', () => {
    const cutter = createBlockCutter()
    const before = cutter.cut('one [a]\n\n[a]: https://a.example\n\ntwo\n\nthree')
    const after = cutter.cut('one [a]\n\n[a]: https://a.example\n\ntwo\n\nthree\nfour')
    expect(after.blocks[0]).toBe(before.blocks[0])
    expect(after.links).toBe(before.links)
    expect(Object.keys(after.links)).toEqual(['a'])
  })

  it('[W2] starts again when the text was replaced', () => {
    const cutter = createBlockCutter()
    cutter.cut('one\n\ntwo\n\nthree\n')
    expect(cutter.cut('other\n\ntext\n\nhere\n')).toEqual(createBlockCutter().cut('other\n\ntext\n\nhere\n'))
  })
})
