import { describe, expect, it } from 'vitest'
import { parseJson, readJson, unknownOf } from './parse-json.ts'

const read = (text: string) => readJson({ from: 'agent', text })

describe('read JSON', () => {
  it('[R2] reads objects, with lone surrogates and trailing carriage returns', () => {
    expect(read('{"a":"\\ud800"}\r')).toEqual({ type: 'object', value: { a: '\ud800' } })
  })

  it('[A1] uses the value that the transport parsed, with the same reading as without it', () => {
    for (const text of ['{"a":1}', '[1]', 'null'])
      expect(readJson({ from: 'agent', text, parsed: parseJson(text) ?? null })).toEqual(read(text))
    expect(readJson({ from: 'agent', text: '{"a":1}', parsed: { a: 2 } })).toMatchObject({ value: { a: 2 } })
  })

  it('[R2] gives a reason for everything else', () => {
    expect(read('{"a":')).toMatchObject({ type: 'unreadable', code: 'not-json' })
    expect(read('[1]')).toMatchObject({ code: 'not-an-object' })
    expect(read('null')).toMatchObject({ code: 'not-an-object' })
    expect(read('\0')).toMatchObject({ code: 'not-json' })
    expect(readJson({ from: 'agent', text: '{"a', cut: true })).toMatchObject({ code: 'line-too-long' })
  })

  it('[R2] does not let __proto__ reach any other object', () => {
    const reading = read('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect(reading).toMatchObject({ type: 'object' })
    expect('polluted' in {}).toBe(false)
  })

  it('[R2] refuses values nested 100,000 levels deep, and only those nested too deep', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(read(deep)).toMatchObject({ code: 'nested-too-deep' })
    expect(read('{"a":'.repeat(100_000))).toMatchObject({ code: 'nested-too-deep' })
    const brackets = '[\\"'.repeat(5_000)
    expect(read(`{"a":"${brackets}"}`)).toMatchObject({ type: 'object' })
    expect(read(`{"a":[${'[],'.repeat(5_000)}1]}`)).toMatchObject({ type: 'object' })
    expect(parseJson('['.repeat(100_000))).toBeUndefined()
  })

  it('[A3] shows an unknown message completely, and a huge one by its beginning', () => {
    const show = (text: string) => unknownOf('x', 'k', { from: 'agent', text }, { a: 1 })
    expect(show('{"a":1}')).toMatchObject({
      chunk: { type: 'data-unknown', data: { kind: 'k', native: { a: 1 } } },
    })
    expect(JSON.stringify(show('z'.repeat(100_000))).length).toBeLessThan(1_000)
  })
})
