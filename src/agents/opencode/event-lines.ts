const newline = 0x0a
const space = 0x20
const field = Buffer.from('data:')
const nothing: Buffer = Buffer.alloc(0)

type Kind = 'payload' | 'other'

/** The payloads of a stream of server-sent events as lines, however the stream is cut into pieces. Other fields are dropped. */
export async function* eventLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = createReader()
  for await (const piece of stream) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    for (let from = 0; from < bytes.length;) {
      const end = bytes.indexOf(newline, from) + 1 || bytes.length
      const payload = reader.take(bytes.subarray(from, end))
      if (payload.length > 0) yield payload
      from = end
    }
  }
}

/** Reads parts of lines, and gives what of each belongs to a payload. */
function createReader() {
  let beginning = nothing
  let kind: Kind | null = null
  return {
    take(part: Buffer): Buffer {
      const isEnd = part.at(-1) === newline
      const wasKnown = kind
      const line = wasKnown === null ? Buffer.concat([beginning, part]) : part
      // Until the name of the field and what follows it are there, nothing can be said of the line.
      if (wasKnown === null && line.length <= field.length && !isEnd) {
        beginning = line
        return nothing
      }
      const now = wasKnown ?? kindOf(line)
      kind = isEnd ? null : now
      beginning = nothing
      if (now === 'other') return nothing
      return wasKnown === null ? payloadIn(line) : line
    },
  }
}

const kindOf = (line: Buffer): Kind => (line.subarray(0, field.length).equals(field) ? 'payload' : 'other')

const payloadIn = (line: Buffer) => line.subarray(field.length + (line[field.length] === space ? 1 : 0))
