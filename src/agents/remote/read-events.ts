import { createEventCutter, readServerEvent } from '../../protocol/server-sent-events.ts'

/** One event of a service's stream, its data as bytes. */
export interface ServiceEvent {
  /** Its number; null when it has none. */
  readonly number: number | null
  readonly kind: string
  readonly data: Buffer
}

const largest = 64 << 20

/** Reads the events of a stream, byte for byte: their data need not be UTF-8. An event that was cut off is skipped. */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServiceEvent> {
  const cutter = createEventCutter()
  let waiting = 0
  for await (const piece of bytes) {
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
    const texts = cutter.add(text)
    for (const each of texts) {
      const { id = '', event = '', data } = readServerEvent(each)
      if (data === undefined) continue
      const number = /^\d{1,15}$/.test(id) ? Number(id) : null
      yield { number, kind: event, data: Buffer.from(data, 'latin1') }
    }
    waiting = texts.length > 0 ? 0 : waiting + piece.length
    if (waiting > largest) throw new Error(`An event has more than ${largest} bytes.`)
  }
}
