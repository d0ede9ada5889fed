import type { Command } from './command.ts'
import type { CommandEntry } from './commands.ts'

/** The help for all commands. */
export function overviewText(commands: readonly CommandEntry[]): string {
  return `Dragoman: any coding agent in, one durable message stream out.

Usage: dragoman [COMMAND] [OPTIONS]

Without a command, Dragoman starts its server, or finds the running one, and opens the web app in your browser.

${rows(commands.map(({ name, summary }) => [name, summary]))}
Options:
${rows([
  ['--help', 'show this help, or the help for a command'],
  ['--version', 'show the version'],
])}
Exit codes: 0 success, 1 failure, 2 wrong usage. Set DRAGOMAN_DEBUG=1 to see the stack of an error.
Try: dragoman run "show me everything"
`
}

/** The help for one command. */
export function commandText({ name, operands, about, flags }: Command): string {
  const options = Object.entries(flags).map(([flag, { value, help, multiple }]): [string, string] => [
    value === undefined ? `--${flag}` : `--${flag} ${value}${multiple === true ? ' …' : ''}`,
    help,
  ])
  return `Usage: ${['dragoman', name, '[OPTIONS]', ...operands].join(' ')}

${about.trim()}

Options:
${rows([...options, ['--help', 'show this help']])}`
}

function rows(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([left]) => left.length)) + 2
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}${right}\n`).join('')
}
