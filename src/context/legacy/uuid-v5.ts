import { finish, type Steps } from '../../protocol/steps.ts'

type Digest = [number, number, number, number, number]

const schedule = new Int32Array(80)
const block = 64
const stepBytes = 1 << 19

/** A UUID v5: the same name in the same name space has the same id. */
export const uuidV5 = (name: string, space: string): string => finish(uuidV5InSteps(name, space))

/** The same in steps: a long name takes several. */
export function* uuidV5InSteps(name: string, space: string): Steps<string> {
  const [a, b, c, d] = yield* sha1(yield* padded(space.replaceAll('-', ''), name.toWellFormed()))
  const digits = [a, (b & 0xffff0fff) | 0x5000, (c & 0x3fffffff) | 0x80000000, d].map(hex).join('')
  return [[0, 8], [8, 12], [12, 16], [16, 20], [20]].map(([from, to]) => digits.slice(from, to)).join('-')
}

const hex = (bits: number) => (bits >>> 0).toString(16).padStart(8, '0')

/** The bytes of the space and the name, a one bit after them, and their length in bits at the end, in whole blocks. */
function* padded(space: string, name: string): Steps<DataView> {
  const bytes = new Uint8Array(space.length / 2 + name.length * 3 + 2 * block)
  for (let at = 0; at < space.length; at += 2) bytes[at / 2] = Number.parseInt(space.slice(at, at + 2), 16)
  const place: Place = { from: 0, to: space.length / 2 }
  while (place.from < name.length) {
    if (name.length > stepBytes) yield
    writeUtf8(bytes, name, place)
  }
  const length = place.to
  bytes[length] = 0x80
  const view = new DataView(bytes.buffer, 0, (((length + 8) >> 6) + 1) * block)
  view.setUint32(view.byteLength - 8, Math.floor(length / 2 ** 29))
  view.setUint32(view.byteLength - 4, length << 3)
  return view
}

/** How far a text is read and its bytes are written. */
interface Place {
  from: number
  to: number
}

/** Writes the next part of a text as UTF-8. */
function writeUtf8(bytes: Uint8Array, text: string, place: Place): void {
  let { from: at, to } = place
  const end = Math.min(at + stepBytes, text.length)
  for (; at < end; at++) {
    const code = text.codePointAt(at) ?? 0
    if (code < 0x80) bytes[to++] = code
    else {
      const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3
      bytes[to++] = (0xff00 >> (more + 1)) | (code >> (6 * more))
      for (let left = more - 1; left >= 0; left--) bytes[to++] = 0x80 | ((code >> (6 * left)) & 0x3f)
      if (more === 3) at += 1
    }
  }
  place.from = at
  place.to = to
}

/** SHA-1 by hand: ids must come out the same in a browser, where hashing is asynchronous, and without I/O. */
function* sha1(message: DataView): Steps<Readonly<Digest>> {
  const state: Digest = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476, 0xc3d2e1f0 | 0]
  for (let from = 0; from < message.byteLength; from += stepBytes) {
    if (message.byteLength > stepBytes) yield
    hashBlocks(state, message, from, Math.min(from + stepBytes, message.byteLength))
  }
  return state
}

function hashBlocks(state: Digest, message: DataView, from: number, to: number): void {
  for (let start = from; start < to; start += block) {
    for (let at = 0; at < 16; at++) schedule[at] = message.getInt32(start + at * 4)
    for (let at = 16; at < 80; at++)
      schedule[at] = rotated(word(at - 3) ^ word(at - 8) ^ word(at - 14) ^ word(at - 16), 1)
    mix(state)
  }
}

const word = (at: number) => schedule[at] ?? 0
const rotated = (bits: number, by: number) => (bits << by) | (bits >>> (32 - by))

/** Mixes the block in the schedule into the state. */
function mix(state: Digest): void {
  let [a, b, c, d, e] = state
  for (let at = 0; at < 80; at++) {
    const next = (round(at, b, c, d) + rotated(a, 5) + e + word(at)) | 0
    e = d
    d = c
    c = rotated(b, 30)
    b = a
    a = next
  }
  state[0] = (state[0] + a) | 0
  state[1] = (state[1] + b) | 0
  state[2] = (state[2] + c) | 0
  state[3] = (state[3] + d) | 0
  state[4] = (state[4] + e) | 0
}

function round(at: number, b: number, c: number, d: number): number {
  if (at < 20) return ((b & c) | (~b & d)) + 0x5a827999
  if (at < 40) return (b ^ c ^ d) + 0x6ed9eba1
  if (at < 60) return ((b & c) | (b & d) | (c & d)) - 0x70e44324
  return (b ^ c ^ d) - 0x359d3e2a
}
