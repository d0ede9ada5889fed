import { isDragomanError } from '../protocol/error.ts'
import type { ExitCode, Shell } from './shell.ts'
import { inert } from './terminal/inert.ts'
import { jsonLine } from './terminal/json-line.ts'

/** Reports an error on stderr and returns the exit code. */
export function reportFailure(error: unknown, { err, env }: Shell, json: boolean): ExitCode {
  const code = isDragomanError(error) ? error.code : 'internal'
  const message = isDragomanError(error) ? error.message : surprise(error)
  const debug = env['DRAGOMAN_DEBUG'] ? stackOf(error) : ''
  if (json) err.write(jsonLine({ code, message, ...(debug && { stack: debug }) }))
  else err.write(`${err.style.red('error')} ${inert(message)}\n${debug && `${inert(debug)}\n`}`)
  // An unknown agent is a usage error.
  return isDragomanError(error, 'invalid-input') || isDragomanError(error, 'unknown-agent') ? 2 : 1
}

/** An unexpected error is our bug; the message explains how to report it. */
function surprise(error: unknown): string {
  const what = error instanceof Error ? error.message : String(error)
  return `Unexpected error: ${what}. Please report it. Run again with DRAGOMAN_DEBUG=1 for details to include.`
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}
