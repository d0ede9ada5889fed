import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Caller } from '../../client/call.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { followServer } from './follow-server.ts'
import type { ServerLine } from './server-line.ts'

const session = 's' as SessionId
const frame = (seq: number) => `id: ${seq}\ndata: ${JSON.stringify({ session, seq, id: `e${seq}` })}\n\n`

/** How one stream behaves: how many entries it repeats, which entry it leaves out, and after how many bytes it is cut. */
interface Stream {
  readonly again: number
  readonly hole: number | null
  readonly cut: number
  readonly piece: number
}

/** A connection to a server with a session of `head` entries. Each stream ends as `streams` says; after those, a stream has all entries. */
function lineTo(head: number, streams: readonly Stream[]): ServerLine {
  const left = [...streams]
  const request = async (_name: string, { query }: { query: { after: string } }) => {
    const after = Number(query.after)
    const { again, hole, cut, piece } = left.shift() ?? { again: 0, hole: null, cut: Infinity, piece: 1000 }
    const from = Math.max(0, after - again)
    const seqs = Array.from({ length: head - from }, (_, index) => from + index + 1)
    const text = `: hello\n\n${seqs
      .filter(seq => seq !== hole)
      .map(frame)
      .join('')}`
    const bytes = Buffer.from(text).subarray(0, cut)
    let at = 0
    return new Response(
      new ReadableStream({
        pull(controller) {
          if (at < bytes.length) controller.enqueue(bytes.subarray(at, (at += piece)))
          else if (cut < text.length) controller.error(new TypeError('terminated'))
          else controller.close()
        },
      }),
    )
  }
  return { attempt: work => work({ request } as unknown as Caller) }
}

it('[T2] [J1] gives every entry once and in order, through cuts, duplicates and gaps in streams', async () => {
  const stream = fc.record({
    again: fc.nat(3),
    hole: fc.option(fc.nat(12)),
    cut: fc.nat(900),
    piece: fc.integer({ min: 1, max: 300 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.nat(3), fc.array(stream, { maxLength: 6 }), async (after, streams) => {
      const head = 12
      const end = new AbortController()
      const options = { signal: end.signal, raw: false }
      const seen: number[] = []
      for await (const entries of followServer(lineTo(head, streams), session, after, options, 0)) {
        seen.push(...entries.map(({ seq }) => seq))
        if (seen.at(-1) === head) end.abort()
      }
      expect(seen).toEqual(Array.from({ length: head - after }, (_, index) => after + index + 1))
    }),
    { numRuns: 300 },
  )
})
