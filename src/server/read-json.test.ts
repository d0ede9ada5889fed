import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseJson, readJsonBody } from './read-json.ts'
import { cpuTime } from '../projections/cpu-time.fixture.ts'

const limits = { bodyBytes: 1 << 20, jsonDepth: 64 }
const parse = (text: string) => parseJson(Buffer.from(text), limits)
const post = (body: BodyInit, headers = {}) =>
  new Request('http://x/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)

describe('JSON from outside', () => {
  it('[S26] is read as it is', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), text => {
        if (text.includes('__proto__')) return
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('[S26] may be 64 levels deep, and no deeper', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect(() => parse(nested(64))).not.toThrow()
    expect(() => parse(nested(65))).toThrow('nested deeper than 64 levels')
    expect(() => parse('{"a":'.repeat(100_000))).toThrow('nested deeper than 64 levels')
    expect(parse(`["${'[{'.repeat(1000)}","\\\\","\\"[[","${'\\\\'.repeat(65)}"]`)).toHaveLength(4)
    expect(parse(`[${'[],'.repeat(1000)}1]`)).toHaveLength(1001)
  })

  it('[S26] of endless depth costs next to nothing', () => {
    const bytes = Buffer.alloc(16 << 20, '[')
    const took = cpuTime(() => expect(() => parseJson(bytes, limits)).toThrow('nested deeper'))
    expect(took).toBeLessThan(50)
  })

  it('[S25] has no key that changes what objects are, however it is written', () => {
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

  it('[S26] is not read further than it may be long', async () => {
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

  it('[S12] [S26] refuses what has too many things in it before it is parsed', () => {
    const large = { bodyBytes: 1 << 24, jsonDepth: 64 }
    const list = (length: number) => ({ parts: Array.from({ length }, () => 1) })
    const object = (length: number) => ({
      options: Object.fromEntries(Array.from({ length }, (_, at) => [`k${at}`, 1])),
    })
    const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value))
    for (const value of [list(199_900), object(10_000)])
      expect(parseJson(bytesOf(value), large)).toEqual(value)
    // However they are shared out: small lists and objects cost more to parse than long ones.
    const shared = Array.from({ length: 500 }, () => Array.from({ length: 200 }, () => ({})))
    const tooMany = [list(200_001), object(10_001), shared].map(bytesOf)
    const parsing = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parsing.mockRestore())
    for (const bytes of tooMany) expect(() => parseJson(bytes, large)).toThrow(/Send fewer/)
    expect(parsing).not.toHaveBeenCalled()
  })
})
