import { readFileSync } from 'node:fs'
import { DragomanError } from '../protocol/error.ts'
import { readArguments } from './arguments.ts'
import { commands, type CommandEntry } from './commands.ts'
import { reportFailure } from './failure.ts'
import { commandText, overviewText } from './help.ts'
import { createShell, type ExitCode, type Shell } from './shell.ts'

/** Runs the command line of this process, then ends it when all output has been written. */
export async function start(more: Pick<Shell, 'beforeServing'> = {}): Promise<never> {
  const shell = { ...createShell(), ...more }
  const args = process.argv.slice(2)
  // Only a bug can throw outside of a command. It is reported like any failure.
  process.on('uncaughtException', error => process.exit(reportFailure(error, shell, args.includes('--json'))))
  const code = await runCommandLine(args, shell)
  await Promise.all([shell.out.flush(), shell.err.flush()])
  process.exit(code)
}

/** Runs one command line from its first word to its exit code. Never throws. */
export async function runCommandLine(args: readonly string[], shell: Shell): Promise<ExitCode> {
  try {
    return await dispatch(args, shell)
  } catch (error) {
    return reportFailure(error, shell, args.includes('--json'))
  }
}

async function dispatch(args: readonly string[], shell: Shell): Promise<ExitCode> {
  const [name = '', ...rest] = args
  if (name === '--version' || name === '-v') return print(shell, `${version()}\n`)
  if (isHelp(name) && rest[0] === undefined) return print(shell, overviewText(commands))
  if (isStart(args)) {
    const { serveOrOpen } = await import('./commands/serve-or-open.ts')
    return serveOrOpen.run(readArguments(serveOrOpen, args), shell)
  }
  const command = await commandNamed(isHelp(name) ? (rest[0] ?? '') : name).load()
  if (isHelp(name) || asksForHelp(rest)) return print(shell, commandText(command))
  return command.run(readArguments(command, rest), shell)
}

const isHelp = (word: string) => word === '--help' || word === '-h' || word === 'help'

/** Without a command, options are those of the server. */
function isStart(args: readonly string[]): boolean {
  const [first = '--'] = args
  return first.startsWith('-') && !isHelp(first) && !asksForHelp(args) && !args.some(isCommand)
}

const isCommand = (word: string) =>
  commands.some(({ name, aliases }) => name === word || aliases?.includes(word))

/** Arguments after "--" are not options. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? args.length : end).some(arg => arg === '--help' || arg === '-h')
}

function commandNamed(name: string): CommandEntry {
  const found = commands.find(command => command.name === name || command.aliases?.includes(name))
  if (found !== undefined) return found
  const what = name.startsWith('-') ? `Put a command before "${name}".` : `Unknown command "${name}".`
  const names = commands.map(command => command.name).join(', ')
  throw new DragomanError('invalid-input', `${what} Available commands: ${names}. See "dragoman --help".`)
}

function print({ out }: Shell, text: string): ExitCode {
  out.write(text)
  return 0
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
