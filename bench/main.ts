import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { benches } from './benches.ts'
import { isReached, type Bench } from './harness/bench.ts'
import { documentOf } from './harness/document.ts'
import { describeMachine } from './harness/machine.ts'
import { runApart } from './harness/run-apart.ts'
import { plainTable, type Outcome } from './harness/table.ts'

const usage = `Usage: npm run bench -- [name…] [--json] [--seconds N] [--write FILE]

  --seconds N   how long the timed part of each bench may take
  --json        print JSON instead of a table
  --write FILE  also write the table, the date and the machine as Markdown

Names: ${benches.map(({ name }) => name).join(', ')}
`

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        seconds: { type: 'string' },
        write: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return wrongUsage((error as Error).message)
  }
}

function wrongUsage(reason: string): never {
  process.stderr.write(`${reason}\n\n${usage}`)
  process.exit(2)
}

function choose(names: readonly string[]): readonly Bench[] {
  const unknown = names.find(name => !benches.some(bench => bench.name === name))
  if (unknown !== undefined) wrongUsage(`There is no bench "${unknown}".`)
  return names.length === 0 ? benches : benches.filter(({ name }) => names.includes(name))
}

function toJson(outcomes: readonly Outcome[]): string {
  const results = outcomes.flatMap(({ bench: { name, what, beside }, measured, others }) =>
    measured.map(one => ({ name, what, beside, ...one, reached: isReached(one), others })),
  )
  return JSON.stringify({ at: new Date().toISOString(), machine: describeMachine(), results }, null, 2)
}

const { values, positionals } = readArguments()
if (values.help) {
  process.stdout.write(usage)
  process.exit(0)
}
const seconds = values.seconds === undefined ? undefined : Number(values.seconds)
if (seconds !== undefined && !(seconds > 0)) wrongUsage('--seconds must be a number above 0.')

const outcomes: Outcome[] = []
for (const bench of choose(positionals)) {
  process.stderr.write(`${bench.name} …\n`)
  outcomes.push({ bench, ...(await runApart(bench, seconds ?? bench.seconds)) })
}
process.stdout.write(`${values.json ? toJson(outcomes) : plainTable(outcomes)}\n`)
if (values.write !== undefined) {
  const command = ['npm run bench --', ...process.argv.slice(2)].join(' ')
  writeFileSync(values.write, documentOf(outcomes, command, new Date()))
}
