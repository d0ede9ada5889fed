import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEvents, type ServiceEvent } from './read-events.ts'

async function read(bytes: Buffer, cuts: readonly number[] = []): Promise<readonly ServiceEvent[]> {
  const places = [
    0,
    ...cuts.map(cut => cut % (bytes.length + 1)).toSorted((one, two) => one - two),
    bytes.length,
  ]
  const pieces = places.slice(1).map((end, at) => bytes.subarray(places[at], end))
  const events: ServiceEvent[] = []
  for await (const event of readEvents(
    (async function* () {
      yield* pieces
    })(),
  ))
    events.push(event)
  return events
}

const text = async (stream: string) =>
  (await read(Buffer.from(stream))).map(({ number, kind, data }) => [number, kind, data.toString()])

describe('server-sent events', () => {
  it('[A10] have a number, a kind and data; comments and unknown fields are ignored', async () => {
    expect(await text(': hello\n\nid: 7\nevent: stdout\nretry: 5\ndata: {"a":1}\n\n')).toEqual([
      [7, 'stdout', '{"a":1}'],
    ])
    expect(await text('id:8\r\ndata:x\r\ndata: y\r\n\r\n')).toEqual([[8, '', 'x\ny']])
    expect(await text('id: x\nevent: exit\ndata\n\nevent: nothing\n\n')).toEqual([[null, 'exit', '']])
  })

  it('[A10] an event that was cut off is skipped', async () => {
    expect(await text('id: 1\ndata: whole\n\nid: 2\ndata: ha')).toEqual([[1, '', 'whole']])
    expect(await text('id: 1\ndata: whole\n\nid: 2\ndata: half\n')).toEqual([[1, '', 'whole']])
  })

  it('[A10] are the same for every way to split the stream', async () => {
    const datas = fc.array(
      fc
        .uint8Array({ maxLength: 40 })
        .map(bytes => Buffer.from(bytes.filter(each => each !== 10 && each !== 13))),
    )
    await fc.assert(
      fc.asyncProperty(datas, fc.array(fc.nat(), { maxLength: 30 }), async (all, cuts) => {
        const frames = all.flatMap((data, at) => [
          Buffer.from(`id: ${at + 1}\nevent: stdout\ndata: `),
          data,
          Buffer.from('\n\n'),
        ])
        const events = await read(Buffer.concat(frames), cuts)
        expect(events.map(({ number }) => number)).toEqual(all.map((_, at) => at + 1))
        expect(events.map(({ data }) => data.toString('hex'))).toEqual(all.map(data => data.toString('hex')))
      }),
    )
  })
})
