import { expect, it } from 'vitest'
import { boundExceeded, type HashSeed } from './json-shape.ts'

const bounds = { depth: 64, values: 200_000, keys: 10_000 }
const seed: HashSeed = [0x12345678, 0x9abcdef0]
const exceeded = (text: string, of: HashSeed = seed) =>
  boundExceeded(new TextEncoder().encode(text), bounds, of)
const objectsWith = (keys: readonly string[]) => `[${keys.map(key => `{"${key}":1}`).join(',')}]`

/** FNV-1a without a seed. */
const fnv = (text: string, from: number) => {
  let hash = from
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93)
  return hash
}

/** Two texts that lead from one state of FNV-1a to the same next one. */
function colliding(from: number): { readonly pair: readonly [string, string]; readonly to: number } {
  const seen = new Map<number, string>()
  for (let count = 0; ; count++) {
    const text = (Math.imul(count, 0x9e3779b1) >>> 0).toString(36).padStart(7, '-')
    const to = fnv(text, from)
    const other = seen.get(to)
    if (other !== undefined) return { pair: [other, text], to }
    seen.set(to, text)
  }
}

it('[S12] [S26] keys that collide in a hash without a seed count as different keys', () => {
  let [keys, state] = [[''], 0]
  while (keys.length <= bounds.keys) {
    const { pair, to } = colliding(state)
    keys = keys.flatMap(key => pair.map(text => key + text))
    state = to
  }
  expect(new Set(keys.map(key => fnv(key, 0))).size).toBe(1)
  expect(exceeded(objectsWith(keys))).toBe('keys')
})

it('[S12] [S26] the same keys after the same keys count once, whatever the seed', () => {
  const keys = Array.from({ length: 30_000 }, (_, at) => `key${at % 9000}`)
  for (const each of [seed, [0, 0], [0xffffffff, 1]] as const)
    expect(exceeded(objectsWith(keys), each)).toBeNull()
})

it('[S12] [S26] keys that differ only in their length, their end or the keys before them count as different', () => {
  const different = ['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'abcd\u0001', 'b', 'aa', '\u007f']
  const text = `[${different.flatMap(a => different.map(b => `{"${a}":1,"${b}":1}`)).join(',')}]`
  const count = (keys: number) =>
    boundExceeded(new TextEncoder().encode(text), { ...bounds, keys }, seed) === null
  // Each key first, and each after each. An empty key is read as a number, and is never cheap.
  expect(count(different.length * 2 + 9 * 10 + 9)).toBe(true)
  expect(count(9 + 9 * 10 - 1)).toBe(false)
})
