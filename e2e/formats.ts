import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { faultsOf, wildFaultsOf } from '../src/context/formats/arbitrary/checks.fixture.ts'
import { documents } from '../src/context/formats/arbitrary/documents.arbitrary.ts'
import { wild } from '../src/context/formats/arbitrary/wild.arbitrary.ts'
import { formats } from '../src/context/formats/codecs.ts'
import type { Format } from '../src/context/formats/conversation.ts'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '' },
  },
})
const cases = Number(values.cases)

/** Runs one ordered pair of formats; gives the text of the first failure, or null. */
function run(from: Format, to: Format, isWild: boolean): string | null {
  const details = fc.check(
    fc.property(isWild ? wild(documents[from]) : documents[from], json => {
      const faults = isWild ? wildFaultsOf(from, to, json) : faultsOf(from, to, json)
      if (faults.length > 0) throw new Error(faults.slice(0, 5).join('\n'))
    }),
    { numRuns: cases, seed: Number(values.seed) },
  )
  if (!details.failed) return null
  return `${String(details.errorInstance)}\n${JSON.stringify(details.counterexample)}`
}

let failures = 0
let total = 0
const started = performance.now()
for (const isWild of [false, true])
  for (const from of formats.filter(format => format.startsWith(values.from)))
    for (const to of formats.filter(format => isWild || format !== from)) {
      const failure = run(from, to, isWild)
      const what = isWild ? 'damaged documents' : 'documents'
      total += cases
      if (failure !== null) failures++
      console.log(
        `${from} → ${to}: ${cases} ${what}, ${failure === null ? 'all well' : `FAILED\n${failure}`}`,
      )
    }
const seconds = Math.round((performance.now() - started) / 1000)
console.log(`${total} cases, ${failures} pairs failed, ${seconds} s`)
process.exitCode = failures === 0 ? 0 : 1
