import { parseArgs } from 'node:util'
import { DragomanError } from '../protocol/error.ts'
import type { Command, Flags, Given } from './command.ts'

/** The error for wrong usage of a command. */
export const wrongUsage = (name: string, sentence: string) =>
  new DragomanError('invalid-input', `${sentence} See "dragoman ${name} --help".`)

/** Parses the arguments of a command. Refuses unknown and missing ones. */
export function readArguments<Known extends Flags>(
  command: Command<Known>,
  args: readonly string[],
): Given<Known> {
  const { values, positionals } = parse(command, args)
  const needed = command.operands.filter(operand => !operand.startsWith('['))
  const missing = needed[positionals.length]
  if (missing !== undefined) throw wrongUsage(command.name, `${missing} is missing.`)
  const extra = positionals[command.operands.length]
  const isOpen = command.operands.at(-1)?.endsWith('…]') === true
  if (extra !== undefined && !isOpen)
    throw wrongUsage(command.name, `Unexpected argument "${extra}". Put text with spaces in quotes.`)
  return { flags: values as Given<Known>['flags'], operands: positionals }
}

function parse({ name, flags }: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(flags).map(([flag, { type, multiple = false }]) => [flag, { type, multiple }]),
  )
  try {
    return parseArgs({ args: joinNumbers(flags, args), options, allowPositionals: true })
  } catch (error) {
    throw wrongUsage(name, sentenceOf(error as Error & { code?: string }))
  }
}

/** A negative number is not an option, so it becomes the value of the one before it, whose check has a better message. */
function joinNumbers(flags: Flags, args: readonly string[]): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const before = joined.at(-1)
    const takes = !joined.includes('--') && before?.startsWith('--') === true
    const isBound = takes && flags[before.slice(2)]?.type === 'string' && /^-\d/.test(arg)
    if (isBound) joined.push(`${joined.pop()}=${arg}`)
    else joined.push(arg)
  }
  return joined
}

/** Keeps the first sentence of Node's message, which names the option. */
function sentenceOf({ message }: Error): string {
  const [first = message] = message.split(/\.?(?: To specify|\n)/)
  return `${first.replace(/\.$/, '')}.`
}

/** Reads a whole number from an option. */
export function readWhole(name: string, flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw wrongUsage(name, `--${flag} must be a whole number, not "${text}".`)
}

/** Reads one of several values from an option. */
export function readChoice<Choice extends string>(
  name: string,
  flag: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  const choice = choices.find(each => each === text)
  if (text === undefined || choice !== undefined) return choice
  throw wrongUsage(
    name,
    `--${flag} must be ${choices.join(', ').replace(/, ([^,]+)$/, ' or $1')}, not "${text}".`,
  )
}
