import { reportFailure } from './failure.ts'
import { runCommandLine } from './run-command-line.ts'
import { createShell } from './shell.ts'

/** Runs the command line of this process and ends it, when everything written has been handed over. */
export async function start(): Promise<never> {
  const shell = createShell()
  const args = process.argv.slice(2)
  // Outside of every command only a mistake of ours can be thrown; it is reported like one.
  process.on('uncaughtException', error => process.exit(reportFailure(error, shell, args.includes('--json'))))
  const code = await runCommandLine(args, shell)
  await Promise.all([shell.out.flush(), shell.err.flush()])
  process.exit(code)
}
