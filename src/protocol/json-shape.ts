/** How much a JSON text may contain before it is parsed. */
export interface JsonBounds {
  readonly depth: number
  /** Lists, objects and the values in them, in all. */
  readonly values: number
  /** Different keys, in all. */
  readonly keys: number
}

/** A secret of the process, at random. Without it, a caller cannot make keys that count as the same one. */
export type HashSeed = readonly [number, number]

/** An object that is not closed yet. */
interface OpenObject {
  keys: number
  /** Of all its keys so far, in their order. */
  hash: number
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const [zero, nine] = [0x30, 0x39]
const isSyntax = new Uint8Array(256)
for (const byte of [quote, comma, openList, closeList, openObject, closeObject]) isSyntax[byte] = 1

/** Returns the bound that a JSON text exceeds, if any. Reads only bytes, because parsing such a text is the expensive part. */
export function boundExceeded(bytes: Uint8Array, most: JsonBounds, seed: HashSeed): keyof JsonBounds | null {
  /** The open objects and, as null, lists. */
  const open: (OpenObject | null)[] = []
  const countKey = createKeyCounter(seed)
  let [values, isKeyNext] = [0, false]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (isSyntax[byte] !== 1) continue
    if (byte === quote) {
      const end = endOfString(bytes, at + 1)
      const object = isKeyNext ? open.at(-1) : null
      if (object && countKey(object, bytes, at + 1, end) > most.keys) return 'keys'
      at = end
      isKeyNext = false
      continue
    }
    if (byte === closeList || byte === closeObject) open.pop()
    else values += 1
    if (values > most.values) return 'values'
    if (byte === openList) open.push(null)
    if (byte === openObject) open.push({ keys: 0, hash: 0 })
    if (open.length > most.depth) return 'depth'
    isKeyNext = byte === openObject || byte === comma
  }
  return null
}

function endOfString(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

/** In an object with more keys than this, each further key takes time, known or not: V8 makes it a hash table. */
const mostCheapKeys = 100

type CountKey = (object: OpenObject, bytes: Uint8Array, from: number, to: number) => number

/**
 * Counts the keys that take time to parse. A key is cheap if another object had it after the same keys. A number as a key is never cheap,
 * because it is the index of a sparse list.
 */
function createKeyCounter(seed: HashSeed): CountKey {
  const known = new Set<number>()
  let costly = 0
  return (object, bytes, from, to) => {
    object.keys += 1
    object.hash = hashAfter(object.hash, bytes, from, to, seed)
    if (object.keys > mostCheapKeys || isNumber(bytes, from, to)) costly += 1
    else known.add(object.hash)
    return known.size + costly
  }
}

function isNumber(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0
    if (byte < zero || byte > nine) return false
  }
  return true
}

/** The hash of a key and of those before it, in 53 bits: HalfSipHash-1-3. Collisions cannot be made without the seed. */
function hashAfter(before: number, bytes: Uint8Array, from: number, to: number, seed: HashSeed): number {
  const state: SipState = [seed[0], seed[1] ^ 0xee, 0x6c796765 ^ seed[0], 0x74656462 ^ seed[1]]
  absorb(state, before | 0)
  absorb(state, before / 2 ** 32)
  let at = from
  for (; at + 4 <= to; at += 4) absorb(state, wordAt(bytes, at, 4))
  absorb(state, wordAt(bytes, at, to - at) | ((to - from) << 24))
  state[2] ^= 0xff
  const high = squeeze(state)
  state[1] ^= 0xdd
  return (high >>> 0) * 2 ** 21 + (squeeze(state) >>> 11)
}

type SipState = [number, number, number, number]

/** Up to four bytes as a number. */
function wordAt(bytes: Uint8Array, at: number, count: number): number {
  let word = 0
  for (let index = 0; index < count; index++) word |= (bytes[at + index] ?? 0) << (8 * index)
  return word
}

function absorb(state: SipState, word: number): void {
  state[3] ^= word
  mix(state)
  state[0] ^= word
}

function squeeze(state: SipState): number {
  for (let round = 0; round < 3; round++) mix(state)
  return state[1] ^ state[3]
}

const rotated = (bits: number, by: number) => (bits << by) | (bits >>> (32 - by))

function mix(state: SipState): void {
  let [a, b, c, d] = state
  a = (a + b) | 0
  b = rotated(b, 5) ^ a
  a = rotated(a, 16)
  c = (c + d) | 0
  d = rotated(d, 8) ^ c
  a = (a + d) | 0
  d = rotated(d, 7) ^ a
  c = (c + b) | 0
  b = rotated(b, 13) ^ c
  c = rotated(c, 16)
  state[0] = a
  state[1] = b
  state[2] = c
  state[3] = d
}
