import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventLines } from './event-lines.ts'

async function read(pieces: readonly Uint8Array[], limit?: number): Promise<string> {
  const given: Uint8Array[] = []
  const stream = (async function* () {
    yield* pieces
  })()
  for await (const piece of eventLines(stream, limit)) given.push(piece)
  return Buffer.concat(given).toString('utf8')
}

const stream =
  'event: x\r\ndata: {"a":1}\n\n: alive\nid: 7\ndata:{"b":"ä\u2028"}\n\ndata: \ndat: no\nretry: 1\ndata: last'
const lines = '{"a":1}\n{"b":"ä\u2028"}\n\nlast'

describe('event lines', () => {
  it('[A6] are the payloads of events, and nothing else', async () => {
    expect(await read([Buffer.from(stream)])).toBe(lines)
    expect(await read([])).toBe('')
  })

  it('[A6] are the same for every way to split the stream', async () => {
    const bytes = Buffer.from(stream)
    const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(cuts, fc.integer({ min: 0, max: 40 }), async (given, limit) => {
        const ends = [...given.toSorted((a, b) => a - b), bytes.length]
        const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
        expect(await read(pieces)).toBe(lines)
        // A payload that is too long for memory is passed on in parts, which make the same line.
        expect(await read(pieces, limit)).toBe(lines)
      }),
    )
    expect(await read([...bytes].map(byte => Uint8Array.of(byte)))).toBe(lines)
  })
})
