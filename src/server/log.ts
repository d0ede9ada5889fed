import { isSecretName, redact } from '../protocol/redact.ts'

/** How much a line of the log matters. */
export type Level = 'debug' | 'info' | 'warning' | 'error'

/** What a line of the log tells beside its message; `session` and `seq` where there are any. */
export type Facts = Readonly<Record<string, unknown>>

/** Where the server tells what it does, for those who run it. */
export type Log = (level: Level, message: string, facts?: Facts) => void

/** How lines are made. */
export interface LogOptions {
  readonly now: () => number
  /** What must never be told, whatever it looks like. */
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

/** An error has nothing to tell as JSON by itself. */
const plain = ({ name, message, stack, cause }: Error) => ({
  name,
  message,
  stack,
  ...(cause !== undefined && { cause }),
})
