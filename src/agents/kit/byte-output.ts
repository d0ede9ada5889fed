/** Bytes that grow at the end and may be cut there. */
export interface ByteOutput {
  readonly size: () => number
  /** The byte before the end. */
  readonly last: () => number | undefined
  add(byte: number): void
  /** Adds the bytes between two positions of others. */
  copy(bytes: Uint8Array, from?: number, to?: number): void
  /** Drops all bytes after a size. */
  cut(size: number): void
  /** A view of the bytes from a position on, valid until more are added. */
  from(position: number): Buffer
}

const smallest = 4 * 1024

/** Creates an empty output. */
export function createByteOutput(): ByteOutput {
  let kept = Buffer.allocUnsafe(smallest)
  let size = 0
  const makeRoom = (length: number) => {
    if (size + length > kept.length) kept = Buffer.concat([kept.subarray(0, size)], 2 * (size + length))
  }
  return {
    size: () => size,
    last: () => kept[size - 1],
    add(byte) {
      makeRoom(1)
      kept[size++] = byte
    },
    copy(bytes, from = 0, to = bytes.length) {
      makeRoom(to - from)
      // For a few bytes, a loop is faster than a view.
      if (to - from > 64) kept.set(bytes.subarray(from, to), size)
      else for (let at = from; at < to; at += 1) kept[size + at - from] = bytes[at] ?? 0
      size += to - from
    },
    cut(to) {
      size = to
    },
    from: position => kept.subarray(position, size),
  }
}
