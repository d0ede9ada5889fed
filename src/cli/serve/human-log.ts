import type { Output } from '../terminal/output.ts'
import { inertLine } from '../terminal/inert.ts'

interface LogLine {
  readonly at: string
  readonly level: 'debug' | 'info' | 'warning' | 'error'
  readonly message: string
  readonly session?: string
  readonly error?: { readonly message?: string }
}

/** Writes the log for people: only warnings and errors, without the details for programs. */
export function createHumanLog(output: Output): (line: string) => void {
  const { style } = output
  return line => {
    const { at, level, message, session, error } = JSON.parse(line) as LogLine
    if (level !== 'warning' && level !== 'error') return
    const mark = level === 'error' ? style.red(level) : style.yellow(level)
    const facts = [
      ...(error?.message === undefined ? [] : [error.message]),
      ...(session === undefined ? [] : [`session ${session}`]),
    ]
    const more = facts.length === 0 ? '' : ` ${style.dim(inertLine(facts.join(' · ')))}`
    output.write(
      `${style.dim(new Date(at).toLocaleTimeString('en-GB'))} ${mark} ${inertLine(message)}${more}\n`,
    )
  }
}
