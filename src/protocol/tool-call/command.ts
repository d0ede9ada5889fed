import { asObject, asList } from '../json.ts'
import { toolOf, type SomeCall } from './call.ts'
import { textIn } from './fields.ts'

/** What a call runs in a shell. */
export interface ShellCommand {
  readonly command: string
  readonly cwd: string | null
  readonly background: boolean
}

/** The command that a call runs, without the shell that agents wrap around it; null for a call that runs none. */
export function commandOf(call: SomeCall): ShellCommand | null {
  if (toolOf(call).family !== 'run') return null
  const fields = asObject(call.input)
  const command = textOfCommand(call)
  if (command === undefined) return null
  const cwd = textIn(fields, 'cwd', 'workdir', 'directory', 'dir_path') ?? call.cwd ?? null
  const background = fields['run_in_background'] === true || fields['is_background'] === true
  return { command, cwd, background }
}

function textOfCommand({ input }: SomeCall): string | undefined {
  const fields = asObject(input)
  const words = asList(fields['command']).filter(word => typeof word === 'string')
  if (words.length > 0) return unwrapped(words)
  const text = textIn(fields, 'command', 'cmd', 'script')
  if (text !== undefined) return withoutShell(text)
  // An ACP agent that does not report its input uses the command as title.
  return fields['kind'] === 'execute' ? textIn(fields, 'title') : undefined
}

function unwrapped(words: readonly string[]): string {
  const [program = '', flag = '', script = ''] = words
  return words.length === 3 && isShell.test(program) && isScript.test(flag) ? script : words.join(' ')
}

const isShell = /^(?:\S*\/)?(?:ba|z|da|k)?sh$/
const isScript = /^-l?i?c$/

/** Codex reports `/bin/bash -lc 'npm test'` for `npm test`. */
function withoutShell(command: string): string {
  const wrapped = /^(?:\S*\/)?(?:ba|z|da|k)?sh -l?c ([\s\S]+)$/.exec(command)?.[1]
  if (wrapped === undefined) return command
  const quote = wrapped[0]
  if ((quote !== "'" && quote !== '"') || wrapped.length < 2 || wrapped.at(-1) !== quote) return wrapped
  const inner = wrapped.slice(1, -1)
  return quote === "'" ? inner.replaceAll(`'\\''`, "'") : inner.replaceAll(/\\(["\\$`])/g, '$1')
}
