/** One frame of a server-sent stream; a comment has no data. */
export interface ServerEvent {
  readonly event?: string
  readonly id?: string
  readonly data?: string
}

/**
 * Reads server-sent events, all that came together at a time; comments too, because they show that the way is open.
 * A stream that is silent for too long is at its end.
 */
export async function* readEvents(
  { body }: Response,
  silenceMs: number,
): AsyncGenerator<readonly ServerEvent[]> {
  const decoder = new TextDecoder()
  const reader = (body ?? new ReadableStream<Uint8Array>()).getReader()
  // Cancelling a failed stream fails again; this can be ignored.
  const cancel = () => reader.cancel().catch(() => {})
  let pieces: string[] = []
  try {
    for (;;) {
      const timer = setTimeout(cancel, silenceMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return
      const piece = decoder.decode(value, { stream: true })
      pieces.push(piece)
      // A long line comes in many pieces; it is looked through once, when its end is there.
      if (!piece.includes('\n')) continue
      const blocks = pieces.join('').split('\n\n')
      pieces = blocks.splice(-1)
      if (blocks.length > 0) yield blocks.map(readBlock)
    }
  } finally {
    await cancel()
  }
}

/** We write each field once, and each on one line. */
const readBlock = (block: string): ServerEvent =>
  Object.fromEntries(
    block.split('\n').map(line => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()]
    }),
  )
