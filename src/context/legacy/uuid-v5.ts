/** SHA-1 by hand: ids must come out the same in a browser, where hashing is asynchronous, and without I/O. */
function sha1(bytes: readonly number[]): readonly number[] {
  const words = padded(bytes)
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
  const schedule = new Int32Array(80)
  for (let block = 0; block < words.length; block += 16) {
    for (let at = 0; at < 16; at++) schedule[at] = words[block + at] ?? 0
    for (let at = 16; at < 80; at++)
      schedule[at] = rotated(
        get(schedule, at - 3) ^ get(schedule, at - 8) ^ get(schedule, at - 14) ^ get(schedule, at - 16),
        1,
      )
    mix(state, schedule)
  }
  return state.flatMap(word => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255])
}

const get = (list: Int32Array, at: number) => list[at] ?? 0
const rotated = (word: number, by: number) => (word << by) | (word >>> (32 - by))

/** The message as words of 32 bits, a one bit after it, its length in bits at the end. */
function padded(bytes: readonly number[]): Int32Array {
  const words = new Int32Array(((bytes.length + 8) >> 6) * 16 + 16)
  const put = (at: number, byte: number) => {
    words[at >> 2] = get(words, at >> 2) | (byte << (24 - (at & 3) * 8))
  }
  bytes.forEach((byte, at) => {
    put(at, byte)
  })
  put(bytes.length, 0x80)
  words[words.length - 2] = Math.floor(bytes.length / 2 ** 29)
  words[words.length - 1] = bytes.length << 3
  return words
}

function mix(state: number[], schedule: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state
  for (let at = 0; at < 80; at++) {
    const next = (rotated(a, 5) + round(at, b, c, d) + e + get(schedule, at)) | 0
    e = d
    d = c
    c = rotated(b, 30)
    b = a
    a = next
  }
  for (const [at, word] of [a, b, c, d, e].entries()) state[at] = ((state[at] ?? 0) + word) | 0
}

function round(at: number, b: number, c: number, d: number): number {
  if (at < 20) return ((b & c) | (~b & d)) + 0x5a827999
  if (at < 40) return (b ^ c ^ d) + 0x6ed9eba1
  if (at < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
  return (b ^ c ^ d) + 0xca62c1d6
}

/** The bytes of a text in UTF-8. */
const utf8 = (text: string): readonly number[] =>
  encodeURIComponent(text.toWellFormed())
    .split(/(%[0-9A-F]{2})/)
    .flatMap(piece =>
      /^%[0-9A-F]{2}$/.test(piece)
        ? [Number.parseInt(piece.slice(1), 16)]
        : Array.from(piece, letter => letter.charCodeAt(0)),
    )

/** A UUID v5: the same name in the same name space has the same id. */
export function uuidV5(name: string, space: string): string {
  const prefix = (space.replaceAll('-', '').match(/../g) ?? []).map(byte => Number.parseInt(byte, 16))
  const bytes = sha1([...prefix, ...utf8(name)])
    .slice(0, 16)
    .map((byte, at) => (at === 6 ? (byte & 0x0f) | 0x50 : at === 8 ? (byte & 0x3f) | 0x80 : byte))
  const digits = bytes.map(byte => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
