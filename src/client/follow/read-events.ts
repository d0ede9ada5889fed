import { createEventCutter, readServerEvent, type ServerEvent } from '../../protocol/server-sent-events.ts'

/**
 * Reads server-sent events, all that came together at a time; comments too, because they show that the connection is alive.
 * A stream that is silent for too long is at its end.
 */
export async function* readEvents(
  { body }: Response,
  silenceMs: number,
): AsyncGenerator<readonly ServerEvent[]> {
  const decoder = new TextDecoder()
  const cutter = createEventCutter()
  const reader = (body ?? new ReadableStream<Uint8Array>()).getReader()
  // Cancelling a failed stream fails again, with the same reason.
  const cancel = () => reader.cancel().catch(() => {})
  try {
    for (;;) {
      const timer = setTimeout(cancel, silenceMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return
      yield cutter.add(decoder.decode(value, { stream: true })).map(readServerEvent)
    }
  } finally {
    await cancel()
  }
}
