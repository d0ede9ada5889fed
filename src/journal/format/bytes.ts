/** Writes numbers and bytes one after another into a buffer that grows. */
export interface ByteWriter {
  number(value: number): void
  signed(value: number): void
  byte(value: number): void
  uint32(value: number): void
  bytes(value: Uint8Array): void
  /** A part of other bytes. */
  copy(source: Buffer, start: number, end: number): void
  /** The bytes written so far, without a copy; valid until the next `clear`. */
  done(): Buffer
  clear(): void
}

/** Reads back what a `ByteWriter` wrote. Throws a RangeError at the end of the bytes. */
export interface ByteReader {
  number(): number
  signed(): number
  uint32(): number
  bytes(length: number): Buffer
  readonly position: number
}

/** A fresh writer. Numbers are written seven bits at a time, so small ones take one byte. */
export function createByteWriter(capacity = 1024): ByteWriter {
  let buffer = Buffer.allocUnsafe(capacity)
  let length = 0

  const reserve = (more: number) => {
    if (length + more <= buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + more))
    buffer.copy(larger, 0, 0, length)
    buffer = larger
  }
  const number = (value: number) => {
    reserve(8)
    let rest = value
    while (rest > 127) {
      buffer[length++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    buffer[length++] = rest
  }

  return {
    number,
    signed: value => number(value < 0 ? -value * 2 - 1 : value * 2),
    byte(value) {
      reserve(1)
      buffer[length++] = value
    },
    uint32(value) {
      reserve(4)
      length = buffer.writeUInt32LE(value, length)
    },
    bytes(value) {
      reserve(value.length)
      buffer.set(value, length)
      length += value.length
    },
    copy(source, start, end) {
      reserve(end - start)
      length += source.copy(buffer, length, start, end)
    },
    done: () => buffer.subarray(0, length),
    clear() {
      length = 0
    },
  }
}

/** A reader over bytes. */
export function createByteReader(buffer: Buffer, start = 0): ByteReader {
  let position = start

  const number = () => {
    let value = 0
    let unit = 1
    for (;;) {
      const byte = buffer[position++]
      if (byte === undefined) throw new RangeError('The bytes end in the middle of a number.')
      value += (byte & 127) * unit
      if (byte < 128) return value
      unit *= 128
    }
  }

  return {
    number,
    signed() {
      const value = number()
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2
    },
    uint32() {
      position += 4
      return buffer.readUInt32LE(position - 4)
    },
    bytes(length) {
      if (position + length > buffer.length) throw new RangeError('The bytes end too early.')
      position += length
      return buffer.subarray(position - length, position)
    },
    get position() {
      return position
    },
  }
}

/** The same bytes as a Buffer, without a copy. */
export const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
