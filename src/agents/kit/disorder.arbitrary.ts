import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import type { Json } from '../../protocol/json.ts'

/** Lines of recordings in disorder: shuffled, with some missing, some repeated, and some with changed fields. */
export function disorder(folder: string): fc.Arbitrary<readonly string[]> {
  const recordings = readdirSync(folder)
    .filter(name => name.endsWith('.jsonl'))
    .map(name => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
    .filter(lines => lines.length < 100)
  const lines = fc.constantFrom(...recordings)
  return fc.oneof(
    lines.chain(all => fc.shuffledSubarray(all)),
    lines.chain(all => fc.subarray(all)),
    fc.tuple(lines, lines).map(([one, other]) => one.flatMap(line => [line, line]).concat(other)),
    fc
      .tuple(lines, fc.infiniteStream(change))
      .map(([all, changes]) => all.map(line => changed(line, changes))),
  )
}

const others: readonly Json[] = [null, 7, '', 'x', {}, [], true]
const change = fc.record({ happens: fc.integer({ min: 0, max: 29 }), value: fc.constantFrom(...others) })
type Changes = fc.Stream<{ readonly happens: number; readonly value: Json }>

function changed(line: string, changes: Changes): string {
  return JSON.stringify(
    JSON.parse(line, (_, value: Json) => {
      const { value: next } = changes.next() as { value: { happens: number; value: Json } }
      return next.happens === 0 ? next.value : value
    }),
  )
}
