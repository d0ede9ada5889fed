import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beforeCut, isCut } from '../../protocol/cut-text.ts'
import type { Json } from '../../protocol/json.ts'
import { createJsonShortener } from './shorten-json.ts'

/** Feeds a text in pieces of the given size. */
function shortened(text: string | Buffer, size = 64 * 1024): string | null {
  const bytes = Buffer.from(text)
  const shortener = createJsonShortener()
  for (let at = 0; at < bytes.length; at += size) shortener.write(bytes.subarray(at, at + size))
  return shortener.end()
}

const valueOf = (text: string | null) => JSON.parse(text ?? 'null') as Record<string, Json>
const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : '')

describe('shortened JSON', () => {
  it('[A18] is unchanged if nothing in it is long, in pieces of any size', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 9 }), (text, size) => {
        expect(JSON.parse(shortened(text, size) ?? '')).toEqual(JSON.parse(text))
      }),
    )
  })

  it('[A18] keeps every field around a string of 20 MB, with its beginning, its end and a mark', () => {
    const long = `begin ${'x'.repeat(20_000_000)} end`
    const text = shortened(JSON.stringify({ type: 'result', result: long, is_error: false, n: [1, 2] }))
    const value = valueOf(text)
    const result = textOf(value['result'])
    expect(value).toMatchObject({ type: 'result', is_error: false, n: [1, 2] })
    expect(result).toMatch(
      /^begin x+\n\[… 19\.9 MB cut here by Dragoman\. The complete message is saved\. …\]\nx+ end$/,
    )
    expect(isCut(value)).toBe(true)
    expect(long.startsWith(beforeCut(result) ?? '-')).toBe(true)
    expect(text?.length).toBeLessThan(70_000)
  })

  it('[A18] keeps every field, and after a megabyte only the beginnings of strings', () => {
    const fields = Array.from({ length: 40 }, (_, at) => [`field ${at}`, `${at} ${'x'.repeat(60_000)}`])
    const text = shortened(JSON.stringify(Object.fromEntries(fields)))
    const value = valueOf(text)
    expect(Object.keys(value)).toEqual(fields.map(([key]) => key))
    expect(textOf(value['field 0'])).toHaveLength(60_002)
    expect(textOf(value['field 39'])).toMatch(/^39 x+\n\[… /)
    expect(text?.length).toBeLessThan(1.2 * 1024 * 1024)
  })

  it('[A18] never cuts a character, an escape or a surrogate pair in two', () => {
    const character = fc.constantFrom(
      '\\',
      '"',
      '\n',
      '\0',
      'é',
      '汉',
      '\u{1f600}',
      'a',
      '\\u0041',
      '\ud83d\ude00',
    )
    const unit = fc.array(character, { minLength: 1, maxLength: 7 }).map(list => list.join(''))
    fc.assert(
      fc.property(unit, fc.boolean(), fc.integer({ min: 0, max: 12 }), (piece, ascii, shift) => {
        const long = 'x'.repeat(shift) + piece.repeat(Math.ceil(200_000 / piece.length))
        const json = JSON.stringify({ long, after: 1 })
        const written = ascii ? escaped(json) : json
        const value = valueOf(shortened(written, 10_007))
        const head = beforeCut(textOf(value['long']))
        expect(value['after']).toBe(1)
        expect(head?.length).toBeGreaterThan(5_000)
        expect(long.startsWith(head ?? '-')).toBe(true)
        expect(textOf(value['long']).isWellFormed()).toBe(true)
        expect(long.endsWith(textOf(value['long']).split('…]\n').at(-1) ?? '-')).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  it('[A18] cuts long lists with a mark of the same type as their entries', () => {
    const entry = (id: number) => ({ id, text: 'y'.repeat(100) })
    const list = Array.from({ length: 60_000 }, (_, id) => entry(id))
    const value = valueOf(
      shortened(JSON.stringify({ list, names: list.map(({ text }) => text), type: 'end' })),
    )
    const kept = value['list'] as readonly Json[]
    expect(value['type']).toBe('end')
    expect(kept[0]).toEqual(entry(0))
    expect(kept.every(each => typeof each === 'object')).toBe(true)
    expect(isCut(kept)).toBe(true)
    expect(isCut(value['names'])).toBe(true)
  })

  it('[A18] cuts objects with many keys, and marks them', () => {
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, id) => [`key-${id}`, id]))
    const value = valueOf(shortened(JSON.stringify({ many, type: 'end' })))
    expect(value['type']).toBe('end')
    expect(isCut(value['many'])).toBe(true)
  })

  it('[A18] cuts deep values first, so that kinds, ids and ends around a large report stay', () => {
    const places = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [at, { from: { at }, to: { at } }]),
    )
    const report = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`/file-${at}.ts`, { places }]))
    const request = { input: { report }, name: 'check', list: ['a', 'b'] }
    const text = shortened(JSON.stringify({ type: 'ask', request, id: 'q' }))
    const value = valueOf(text)
    expect(value).toMatchObject({ type: 'ask', request: { name: 'check', list: ['a', 'b'] }, id: 'q' })
    expect(isCut((value['request'] as Record<string, Json>)['input'])).toBe(true)
    expect(text?.length).toBeLessThan(1.2 * 1024 * 1024)
  })

  it('[A18] keeps a short list near the top complete, whatever comes before it', () => {
    const edits = Array.from({ length: 100 }, () => ({ text: 'x'.repeat(50_000) }))
    const options = ['always', 'once', 'never'].map(kind => ({ kind, name: `Answer ${kind}` }))
    const value = valueOf(
      shortened(JSON.stringify({ id: 1, params: { call: { input: { edits } }, options } })),
    )
    expect(value).toMatchObject({ id: 1, params: { options } })
    expect((value['params'] as Record<string, Json>)['options']).toEqual(options)
    expect(isCut(value)).toBe(true)
  })

  it.each([
    ['what is not JSON', 'a log line '.repeat(500_000)],
    ['half a document', `{"type":"result","result":"${'x'.repeat(100_000)}`],
    ['what is nested too deep', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['invalid JSON', `{"a":"${'x'.repeat(100_000)}",}`],
  ])('[A18] does not shorten %s', (_, text) => {
    expect(shortened(text)).toBeNull()
  })
})

/** The same JSON with everything beyond ASCII escaped. */
const escaped = (json: string) =>
  json.replaceAll(/[\u0080-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
