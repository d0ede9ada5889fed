import { isSecretName, redact } from '../protocol/redact.ts'

/** The severity of a log line. */
export type Level = 'debug' | 'info' | 'warning' | 'error'

/** The fields of a log line in addition to its message, such as `session` and `seq`. */
export type Facts = Readonly<Record<string, unknown>>

/** The server's log, for its operators. */
export type Log = (level: Level, message: string, facts?: Facts) => void

/** How log lines are written. */
export interface LogOptions {
  readonly now: () => number
  /** Secrets that must never be logged. */
  readonly secrets: () => readonly string[]
}

/** A log of JSON lines without secrets. */
export function createLog(write: (line: string) => void, { now, secrets }: LogOptions): Log {
  const tellable = (key: string, value: unknown): unknown => {
    if (typeof value === 'string') return isSecretName(key) ? '[redacted]' : redact(value, secrets())
    return value instanceof Error ? plain(value) : value
  }
  return (level, message, facts = {}) => {
    const at = new Date(now()).toISOString()
    write(`${JSON.stringify({ at, level, message, ...facts }, tellable)}\n`)
  }
}

/** JSON.stringify would write an error as `{}`. */
const plain = ({ name, message, stack, cause }: Error) => ({
  name,
  message,
  stack,
  ...(cause !== undefined && { cause }),
})
