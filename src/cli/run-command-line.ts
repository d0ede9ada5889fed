import { readFileSync } from 'node:fs'
import { DragomanError } from '../protocol/error.ts'
import { readArguments } from './arguments.ts'
import type { ExitCode, Shell } from './shell.ts'
import { commands, type CommandEntry } from './commands.ts'
import { reportFailure } from './failure.ts'
import { commandText, overviewText } from './help.ts'

/** Runs one command line from its first word to its exit code. Never throws. */
export async function runCommandLine(args: readonly string[], shell: Shell): Promise<ExitCode> {
  try {
    return await dispatch(args, shell)
  } catch (error) {
    return reportFailure(error, shell, args.includes('--json'))
  }
}

async function dispatch(args: readonly string[], shell: Shell): Promise<ExitCode> {
  const [name, ...rest] = args
  if (name === undefined) {
    shell.err.write(overviewText(commands))
    return 2
  }
  if (name === '--version' || name === '-v') return print(shell, `${version()}\n`)
  if (isHelp(name) && rest[0] === undefined) return print(shell, overviewText(commands))
  const command = await commandNamed(isHelp(name) ? (rest[0] ?? '') : name).load()
  if (isHelp(name) || asksForHelp(rest)) return print(shell, commandText(command))
  return command.run(readArguments(command, rest), shell)
}

const isHelp = (word: string) => word === '--help' || word === '-h' || word === 'help'

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
