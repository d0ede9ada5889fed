import type { Attendant, Sink } from './sink.ts'

/** A sink, and the `Response` body that receives what is written to it. */
export interface WebSink {
  readonly sink: Sink
  readonly body: ReadableStream<Uint8Array>
}

/** Opens a stream for servers that know only `Request` and `Response`. With more than `parkBytes` unread, the client is behind. */
export function openWebSink(parkBytes: number): WebSink {
  const encoder = new TextEncoder()
  let attendant: Attendant | null = null
  let isParked = false
  let isGone = false
  let reader: ReadableStreamDefaultController<Uint8Array> | undefined
  const leave = () => {
    if (isGone) return
    isGone = true
    attendant?.gone()
  }
  const waiting = () => (isGone ? 0 : parkBytes - (reader?.desiredSize ?? parkBytes))
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        reader = controller
      },
      pull() {
        if (!isParked || waiting() > parkBytes / 2) return
        isParked = false
        attendant?.drained()
      },
      cancel: leave,
    },
    { highWaterMark: parkBytes, size: piece => piece.byteLength },
  )
  const sink: Sink = {
    write(text) {
      if (isGone) return false
      reader?.enqueue(encoder.encode(text))
      isParked = waiting() > parkBytes
      return !isParked
    },
    end() {
      if (!isGone) reader?.close()
      leave()
    },
    cut() {
      if (!isGone) reader?.error(new Error('The stream was cut off. Follow it again.'))
      leave()
    },
    waiting,
    attend(next) {
      attendant = next
      if (isGone) next.gone()
    },
  }
  return { sink, body }
}
