import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Bench, Report } from './bench.ts'

const program = new URL('./run-one.ts', import.meta.url)

/** Runs a bench in a separate process, so that no bench inherits another's heap or files. */
export async function runApart(bench: Bench, seconds: number): Promise<Report> {
  const child = fork(program, [bench.name, String(seconds)])
  let report: Report | undefined
  child.on('message', message => (report = message as Report))
  await once(child, 'exit')
  if (report === undefined) throw new Error(`The bench ${bench.name} ended without a number.`)
  return report
}
