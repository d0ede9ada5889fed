import { PassThrough } from 'node:stream'
import { runCommandLine } from './run-command-line.ts'
import type { EndCause, Shell } from './shell.ts'
import type { Output } from './terminal/output.ts'
import { plainStyle } from './terminal/style.ts'

/** How a pretended process is called. */
export interface Pretended {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** A person at a terminal: called with all that is on the screen when something was written; types what it returns. */
  readonly person?: (screen: string) => string | undefined
  /** Called with a function that ends the command, and with the output so far. */
  readonly meanwhile?: (end: (cause: EndCause) => void, written: string, err: string) => void
}

/** What a command left behind. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command line in this process, with pretended streams. */
export async function runHere(args: readonly string[], pretended: Pretended = {}): Promise<Ran> {
  const { env = {}, stdin: given = '', person, meanwhile } = pretended
  const stdin = Object.assign(new PassThrough(), { isTTY: person !== undefined })
  if (person === undefined) stdin.end(given)
  const written = { out: '', err: '' }
  let end: (cause: EndCause) => void = () => {}
  const outputTo = (name: 'out' | 'err'): Output => ({
    isTerminal: person !== undefined,
    columns: 100,
    style: plainStyle,
    write(text) {
      written[name] += typeof text === 'string' ? text : Buffer.from(text).toString('latin1')
      const typed = name === 'out' ? person?.(written.out) : undefined
      if (typed !== undefined) setTimeout(() => stdin.write(`${typed}\n`), 5)
      meanwhile?.(end, written.out, written.err)
    },
    drained: () => Promise.resolve(),
    flush: () => Promise.resolve(),
  })
  const shell: Shell = {
    stdin: stdin as unknown as Shell['stdin'],
    out: outputTo('out'),
    err: outputTo('err'),
    // Whatever is installed on this machine, a test runs it only if it names it.
    env: { HOME: '/nowhere', DRAGOMAN_AGENT: 'scripted', ...env },
    cwd: process.cwd(),
    exit(code) {
      throw new Error(`The process would have ended at once with ${code}.`)
    },
    guard(act) {
      end = act
      return { [Symbol.dispose]: () => (end = () => {}) }
    },
  }
  const code = await runCommandLine(args, shell)
  return { code, ...written }
}
