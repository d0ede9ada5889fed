import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseJson, readJsonBody } from './read-json.ts'
import { cpuTime } from '../projections/cpu-time.fixture.ts'

const limits = { bodyBytes: 1 << 20, jsonDepth: 64 }
const parse = (text: string) => parseJson(Buffer.from(text), limits)
const post = (body: BodyInit, headers = {}) =>
  new Request('http://x/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)

describe('the JSON of a request', () => {
  it('[S26] is parsed like JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), text => {
        if (text.includes('__proto__')) return
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('[S26] may be 64 levels deep, and not deeper', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect(() => parse(nested(64))).not.toThrow()
    expect(() => parse(nested(65))).toThrow('nested deeper than 64 levels')
    expect(() => parse('{"a":'.repeat(100_000))).toThrow('nested deeper than 64 levels')
    expect(parse(`["${'[{'.repeat(1000)}","\\\\","\\"[[","${'\\\\'.repeat(65)}"]`)).toHaveLength(4)
    expect(parse(`[${'[],'.repeat(1000)}1]`)).toHaveLength(1001)
  })

  it('[S26] is refused quickly if it is very deep', () => {
    const bytes = Buffer.alloc(16 << 20, '[')
    const took = cpuTime(() => expect(() => parseJson(bytes, limits)).toThrow('nested deeper'))
    expect(took).toBeLessThan(50)
  })

  it('[S25] may not have the key __proto__, in any spelling', () => {
    for (const text of [
      '{"__proto__":{"x":1}}',
      '{"a":[{"__proto__":null}]}',
      String.raw`{"__pro\u0074o__":1}`,
    ])
      expect(() => parse(text), text).toThrow('"__proto__" is not allowed')
    expect(parse('{"a":"__proto__"}')).toEqual({ a: '__proto__' })
  })

  it('[S26] must be JSON in UTF-8', () => {
    expect(() => parse('{"a":')).toThrow('The body is not valid JSON')
    expect(() => parse('"unclosed')).toThrow('The body is not valid JSON')
    expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]), limits)).toThrow('not valid UTF-8')
    expect(() => parse(']]]]')).toThrow('The body is not valid JSON')
  })

  it('[S26] is not read beyond the maximum length', async () => {
    await expect(readJsonBody(post('{}', { 'content-length': String(2 << 20) }), limits)).rejects.toThrow(
      'larger than 1 MiB',
    )
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
      },
    })
    await expect(readJsonBody(post(endless), limits)).rejects.toMatchObject({ code: 'too-large' })
    expect(pulled).toBeLessThan(2 << 20)
    await expect(readJsonBody(post(''), limits)).resolves.toBe(undefined)
    await expect(readJsonBody(post('{"a":1}'), limits)).resolves.toEqual({ a: 1 })
  })

  const large = { bodyBytes: 1 << 24, jsonDepth: 64 }
  const list = (length: number, make: (at: number) => unknown) => Array.from({ length }, (_, at) => make(at))
  const object = (length: number, from = 0) =>
    Object.fromEntries(list(length, at => [`k${from + at}`, 1] as const) as [string, number][])
  const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value))
  const message = (at: number) => ({
    id: `m${at}`,
    role: 'user',
    parts: [{ type: 'text', text: 'Hello.', state: 'done' }],
  })

  // How long it takes is measured by the bench `hostile-input`.
  it('[S12] [S26] is accepted at every bound', () => {
    for (const [name, value] of Object.entries({
      'a conversation of 10,000 messages': list(10_000, message),
      'the most values': list(199_900, () => 1),
      'the most keys in one object': object(10_000),
      'the most keys, one in each object': list(10_000, at => object(1, at)),
      'the most keys, 50 in each object': list(200, at => object(50, at * 50)),
      'the same 100 keys in each object': list(1950, () => object(100)),
      'the most keys that are numbers': list(10_000, at => ({ [`${1000 + at}`]: 1 })),
    })) {
      expect(parseJson(bytesOf(value), large), name).toEqual(value)
    }
  })

  it('[S12] [S26] is refused before it is parsed if it is beyond a bound', () => {
    const tooMany = {
      values: list(200_001, () => 1),
      'small lists and objects': list(500, () => list(200, () => ({}))),
      'keys in one object': object(10_001),
      'keys in small objects': list(10_001, at => object(1, at)),
      'keys in large objects, always the same': list(20, () => object(601)),
      'keys in other orders': list(3, at => object(4000, at * 7)),
      'keys that are numbers': list(10_001, () => ({ 1000: 1 })),
    }
    const bodies = Object.entries(tooMany).map(([name, value]) => [name, bytesOf(value)] as const)
    const parsing = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parsing.mockRestore())
    for (const [name, bytes] of bodies) expect(() => parseJson(bytes, large), name).toThrow(/Send fewer/)
    expect(parsing).not.toHaveBeenCalled()
  })
})
