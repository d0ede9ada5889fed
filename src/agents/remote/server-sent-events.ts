/** One event of a stream, its data as bytes. */
export interface ServerEvent {
  /** Its number; null when it has none. */
  readonly number: number | null
  readonly kind: string
  readonly data: Buffer
}

const newline = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const colon = 0x3a
const largest = 64 << 20

/** Reads the events of a stream, byte for byte: their data may be what no text can hold. One that is cut off is none. */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const gathering = createGathering()
  for await (const line of linesOf(bytes)) {
    const event = gathering.take(line)
    if (event) yield event
  }
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let length = 0
  for await (const piece of bytes) {
    const buffer = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    let from = 0
    for (let at = buffer.indexOf(newline); at !== -1; at = buffer.indexOf(newline, from)) {
      const rest = buffer.subarray(from, at)
      yield withoutReturn(pieces.length === 0 ? rest : Buffer.concat([...pieces, rest]))
      pieces = []
      length = 0
      from = at + 1
    }
    if (from === buffer.length) continue
    pieces.push(buffer.subarray(from))
    length += buffer.length - from
    if (length > largest) throw new Error(`An event has more than ${largest} bytes.`)
  }
}

const withoutReturn = (line: Buffer) => (line.at(-1) === carriageReturn ? line.subarray(0, -1) : line)

function createGathering() {
  let number: number | null = null
  let kind = ''
  let data: Buffer | null = null
  const fields: Readonly<Record<string, (value: Buffer) => void>> = {
    id: value => (number = /^\d{1,15}$/.test(value.toString()) ? Number(value.toString()) : null),
    event: value => (kind = value.toString()),
    data: value => (data = data === null ? value : Buffer.concat([data, Buffer.of(newline), value])),
  }
  return {
    /** The event that ends with a line, if one does. */
    take(line: Buffer): ServerEvent | null {
      if (line.length > 0) {
        const at = line.indexOf(colon)
        const end = at === -1 ? line.length : at
        fields[line.toString('latin1', 0, end)]?.(line.subarray(line[end + 1] === space ? end + 2 : end + 1))
        return null
      }
      const event = data === null ? null : { number, kind, data }
      number = null
      kind = ''
      data = null
      return event
    },
  }
}
