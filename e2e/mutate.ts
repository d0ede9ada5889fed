import { createRandom } from '../bench/load/random.ts'

/** Makes hostile lines out of good ones, the same for the same seed. */
export interface Mutator {
  /** A line without a line feed in it, and not blank. */
  line(): Buffer
  /** How many of the bytes at hand to take. */
  size(available: number): number
}

const tokens = [
  '"__proto__":{"polluted":true},',
  '"constructor":{"prototype":{"polluted":true}},',
  '"\\ud800"',
  '\\udfff',
  '1e400',
  '-0',
  '18014398509481985',
  'null',
  '[]',
  '{}',
  '\u2028',
  '\u0000',
  '\ufeff',
  '\r',
  '\u{1f600}',
  '"type":"no-such-kind",',
  '"thread":"nobody",',
  '"call":"nobody",',
  '[['.repeat(50),
].map(token => Buffer.from(token))

/** A mutator over the given lines. */
export function createMutator(seeds: readonly Buffer[], seed: number): Mutator {
  const random = createRandom(seed)
  // A separate generator: cutting must not change which lines are made.
  const cutting = createRandom(seed + 0x9e3779b9)
  const below = (limit: number) => Math.floor(random() * limit)
  const seedLine = () => seeds[below(seeds.length)] ?? Buffer.from('{}')

  const changes: readonly ((line: Buffer) => Buffer)[] = [
    line => line,
    line => flip(line, below(line.length), below(8)),
    line => line.subarray(0, below(line.length) + 1),
    line => line.subarray(below(line.length)),
    line => splice(line, below(line.length), 0, tokens[below(tokens.length)] ?? Buffer.alloc(0)),
    line => splice(line, below(line.length), below(20), tokens[below(tokens.length)] ?? Buffer.alloc(0)),
    line => splice(line, below(line.length), below(8), Buffer.from([below(256), below(256)])),
    line => splice(line, below(line.length), 0, seedLine().subarray(0, below(60))),
    line => Buffer.concat([line, Buffer.from('\r')]),
    line => (random() < 0.01 ? Buffer.concat([line, Buffer.alloc(below(200_000), 0x61)]) : line),
  ]

  return {
    line() {
      let line = seedLine()
      for (let times = below(3); times >= 0; times--) line = changes[below(changes.length)]?.(line) ?? line
      return isBlank(line) ? Buffer.from('x') : withoutLineFeeds(line)
    },
    size: available => 1 + Math.floor(cutting() * Math.min(available, cutting() < 0.1 ? 8 : 16_384)),
  }
}

function flip(line: Buffer, at: number, bit: number): Buffer {
  const copy = Buffer.from(line)
  copy[at] = (copy[at] ?? 0) ^ (1 << bit)
  return copy
}

const splice = (line: Buffer, at: number, removed: number, added: Buffer) =>
  Buffer.concat([line.subarray(0, at), added, line.subarray(at + removed)])

const isBlank = (line: Buffer) => line.every(byte => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d))

const withoutLineFeeds = (line: Buffer) =>
  line.includes(10) ? Buffer.from(line.map(byte => (byte === 10 ? 11 : byte))) : line
