import { benches } from '../benches.ts'
import type { Report } from './bench.ts'
import { watchOthers } from './foreign-load.ts'

/** Runs one bench in this process, which is fresh, and sends its numbers to the parent, or prints them. */
const [name, seconds] = process.argv.slice(2)
const bench = benches.find(one => one.name === name)
if (bench === undefined) throw new Error(`There is no bench ${name}.`)
const othersSince = watchOthers()
const measured = await bench.run({ seconds: seconds === undefined ? bench.seconds : Number(seconds) })
const report: Report = { measured, others: othersSince() }
if (process.send === undefined) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else process.send(report)
