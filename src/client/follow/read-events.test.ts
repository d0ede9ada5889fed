import * as fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ServerEvent } from '../../protocol/server-sent-events.ts'
import { readEvents } from './read-events.ts'

afterEach(() => void vi.useRealTimers())

/** A response that comes in pieces. */
const respond = (pieces: readonly Uint8Array[], ends = true) =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        if (ends) controller.close()
      },
    }),
  )

async function readAll(response: Response, silenceMs = 1000): Promise<readonly ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const batch of readEvents(response, silenceMs)) events.push(...batch)
  return events
}

const event = fc.record({
  id: fc.nat(),
  data: fc.json().map(text => JSON.stringify(JSON.parse(text) as unknown)),
  name: fc.option(fc.constantFrom('reset', 'gone')),
})

describe('readEvents', () => {
  it('[C1] reads the same events however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event), fc.array(fc.nat()), async (events, cuts) => {
        const text = events
          .map(
            ({ id, data, name }) =>
              `${name === null ? `id: ${id}` : `event: ${name}`}\ndata: ${data}\n\n:\n\n`,
          )
          .join('')
        const bytes = new TextEncoder().encode(`${text}data: cut off`)
        const places = [0, ...cuts.map(cut => cut % bytes.length).toSorted((a, b) => a - b), bytes.length]
        const pieces = places.slice(1).map((place, at) => bytes.slice(places[at], place))
        const read = (await readAll(respond(pieces))).filter(({ data }) => data !== undefined)
        expect(read).toEqual(
          events.map(({ id, data, name }) =>
            name === null ? { id: String(id), data } : { event: name, data },
          ),
        )
      }),
    )
  })

  it('[C1] keeps line separators that only look like ends of lines', async () => {
    const data = JSON.stringify('a\u2028b\u2029c')
    expect(await readAll(respond([new TextEncoder().encode(`data: ${data}\n\n`)]))).toEqual([{ data }])
  })

  it('[C1] ends after a long silence', async () => {
    vi.useFakeTimers()
    const reading = readAll(respond([new TextEncoder().encode('data: 1\n\n')], false), 45_000)
    await vi.advanceTimersByTimeAsync(45_000)
    expect(await reading).toEqual([{ data: '1' }])
  })
})
