import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast, readable, toHex } from './colours.ts'
import { parseAnsi } from './parse-ansi.ts'

const textOf = (text: string) =>
  parseAnsi(text)
    .map(span => span.text)
    .join('')
const styled = (text: string) => parseAnsi(text).map(({ text: words, style }) => [words, style])

describe('terminal output', () => {
  it('[W2] keeps plain text in one piece', () => {
    expect(styled('one\ntwo\n')).toEqual([['one\ntwo\n', null]])
    expect(parseAnsi('')).toEqual([])
  })

  it('[W2] has 16, 256 and 24-bit colors, and resets', () => {
    expect(styled('\u001B[31mred\u001B[39m plain')).toEqual([
      ['red', { colour: toHex(1) }],
      [' plain', null],
    ])
    expect(styled('\u001B[38;5;208mx')).toEqual([['x', { colour: '#ff8700' }]])
    expect(styled('\u001B[38;2;255;0;255mx')).toEqual([['x', { colour: '#ff00ff' }]])
    expect(styled('\u001B[38:2::255:0:255mx')).toEqual([['x', { colour: '#ff00ff' }]])
    expect(styled('\u001B[1;3;4;9mx\u001B[my')).toEqual([
      ['x', { bold: true, italic: true, underline: true, struck: true }],
      ['y', null],
    ])
  })

  it('[W2] keeps inverted and low-contrast colors readable', () => {
    const [[, inverse] = []] = styled('\u001B[7mx') as [string, { colour: string; background: string }][]
    expect(contrast(inverse?.colour ?? '', inverse?.background ?? '')).toBeGreaterThan(4.5)
    const colours = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(colours, fc.option(colours), fc.boolean(), (ink, paper, dim) => {
        const codes = `38;2;${ink.join(';')}${paper === null ? '' : `;48;2;${paper.join(';')}`}${dim ? ';2' : ''}`
        const [span] = parseAnsi(`\u001B[${codes}mx`)
        const ground = span?.style?.background ?? '#1c1e22'
        expect(contrast(span?.style?.colour ?? '', ground)).toBeGreaterThanOrEqual(4.5)
      }),
    )
    expect(readable('#101010', 'paper', false)).not.toBe('#101010')
  })

  it('[W2] adapts to the background and the text color of the terminal', () => {
    const tokens = readFileSync(join(import.meta.dirname, '../../ui/tokens.css'), 'utf8')
    expect(/--terminal-paper: light-dark\((#\w+)/.exec(tokens)?.[1]).toBe('#1c1e22')
    expect(/--terminal-ink: (#\w+)/.exec(tokens)?.[1]).toBe(readable('ink', 'paper', false))
  })

  it('[W2] shows the final state of a progress bar', () => {
    expect(textOf('10%\r55%\r100%\ndone\n')).toBe('100%\ndone\n')
    expect(textOf('Loading...\r\u001B[Kok\n')).toBe('ok\n')
    expect(textOf('abc\r\u001B[2Kx')).toBe('x')
    expect(textOf('abc\b\bX')).toBe('aXc')
    expect(textOf('one\r\ntwo\r\n')).toBe('one\ntwo\n')
  })

  it('[W2] drops titles, links, cursor moves and every other escape, but not the text between', () => {
    expect(textOf('\u001B]8;;http://evil.example\u0007here\u001B]8;;\u0007')).toBe('here')
    expect(textOf('\u001B]0;title\u001B\\text')).toBe('text')
    expect(textOf('\u001B[2J\u001B[H\u001B[3Atop\u001B[?25l\u001B(B\u001B=\u001Bc')).toBe('top')
    expect(textOf('\u001BPq#0;2;0;0;0\u001B\\after\u0007')).toBe('after')
    expect(textOf('\u009B31mred')).toBe('red')
  })

  it('[W2] is not swallowed by an unterminated escape', () => {
    const hidden = `\u001B]0;${'x'.repeat(5000)} rm -rf`
    expect(textOf(hidden)).toContain('rm -rf')
    expect(textOf('\u001B]0;never ended\nwords')).toContain('words')
  })

  it('[W2] keeps every word of any text without escapes, and never contains an escape', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
        const shown = textOf(text)
        // oxlint-disable-next-line no-control-regex -- control characters are what this is about
        expect(shown).not.toMatch(/[\u001B\u009B\u0007\b\r]/)
        // oxlint-disable-next-line no-control-regex -- control characters are what this is about
        const plain = text.replaceAll(/[\u0007\b\r\u001B\u0080-\u009F]/g, '')
        expect(textOf(plain)).toBe(plain)
      }),
    )
  })

  it('[W2] is limited: a text with only color codes gives few pieces', () => {
    const wild = Array.from({ length: 30_000 }, (_, at) => `\u001B[3${at % 8}m${at % 10}`).join('')
    expect(parseAnsi(wild).length).toBeLessThanOrEqual(5000)
    expect(textOf(wild)).toHaveLength(30_000)
  })
})
