import { renderToStaticMarkup } from 'react-dom/server'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasStrange, inertPieces, inertString, withoutAnsi } from './inert-text.ts'
import { InertText } from './inert-text.tsx'

const signsOf = (text: string) => inertPieces(text).flatMap(piece => ('sign' in piece ? [piece.sign] : []))

describe('inert text', () => {
  it.each([
    ['user\u202Egnp.exe', ['RLO']],
    ['\u2066a\u2069', ['LRI', 'PDI']],
    ['a\u200Bb', ['ZWSP']],
    ['a\0b\u0007\u007F', ['␀', '␇', '␡']],
    ['a\u0085b', ['0085']],
    ['half \uD83D here', ['�']],
    ['\uFEFFstart', ['BOM']],
    ['in\u00ADvisible', ['SHY']],
    ['\u{E0068}\u{E0069}', ['h', 'i']],
    ['x\uFE01', ['VS']],
    ['a\u2028b', ['LS']],
    ['a\rb', ['␍']],
  ])('[W2] makes invisible characters visible in %j', (text, signs) => {
    expect(signsOf(text)).toEqual(signs)
  })

  it.each([
    'plain\ttext\nof two lines\r\nand three',
    'family 👨‍👩‍👧 and heart ❤️, 👍🏽, flags 🇫🇷 🏴󠁧󠁢󠁥󠁮󠁧󠁿, 1️⃣',
    'می‌خواهم',
    'क्‍ष',
    'שלום עולם',
    'é ä Å Việt',
    '日本語',
  ])('[W2] leaves ordinary text unchanged: %s', text => {
    expect(signsOf(text)).toEqual([])
  })

  it('[W2] counts repeated characters', () => {
    expect(inertString(`a${'\u200B'.repeat(300)}b`)).toBe('a⟨ZWSP×300⟩b')
  })

  it('[W2] cuts stacked marks', () => {
    expect(inertString(`z${'\u0301'.repeat(60)}a`)).toBe(`z${'\u0301'.repeat(8)}⟨◌⟩a`)
  })

  it('[W2] leaves no control character in any text, and drops no word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        const pieces = inertPieces(text)
        const words = pieces.map(piece => ('words' in piece ? piece.words : '')).join('')
        expect(words.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')).not.toMatch(
          /[\p{Cs}\u202A-\u202E\u2066-\u2069]/u,
        )
        expect(words.match(/[a-z]+/gi)?.join('')).toBe(text.match(/[a-z]+/gi)?.join(''))
        if (!hasStrange(text.replaceAll('\r\n', '\n'))) expect(words).toBe(text.replaceAll('\r\n', '\n'))
      }),
    )
  })

  it.each([
    ['\u001B[31mred\u001B[0m', 'red'],
    ['\u009B1;4mbold', 'bold'],
    ['\u001B]8;;https://evil.example\u001B\\link\u001B]8;;\u0007', 'link'],
    ['\u001B]0;title\u0007text', 'text'],
    ['\u001BPdevice\u001B\\text', 'text'],
    ['\u001B(Btext\u001B7', 'text'],
    ['cut \u001B[3', 'cut '],
    ['a[31m stays', 'a[31m stays'],
  ])('[W2] removes terminal escapes from %j', (text, plain) => {
    expect(withoutAnsi(text)).toBe(plain)
  })

  it('[W2] isolates right-to-left text', () => {
    expect(renderToStaticMarkup(<InertText text="שלום" />)).toBe('<bdi>שלום</bdi>')
    expect(renderToStaticMarkup(<InertText text="plain" />)).toBe('plain')
  })

  it('[W2] names each character', () => {
    expect(renderToStaticMarkup(<InertText text={'a\u202Eb'} />)).toContain(
      'title="right-to-left override (U+202E)"',
    )
  })
})
