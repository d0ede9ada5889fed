import { setTimeout as sleep } from 'node:timers/promises'
import { DragomanError } from '../../protocol/error.ts'
import type { Connection, Exit } from '../agent.ts'
import { ageAdvice, lookAt, type Program } from './readiness.ts'
import type { StartWatch } from './watch-start.ts'

/** After a failed start, the version should not add much more waiting. */
const lookMs = 2_000
const lastWordsMs = 500

/** Stops a program whose start failed, and returns the reason with advice. */
export async function startFailure(
  program: Program,
  started: Pick<Connection, 'exit'> & AsyncDisposable,
  watch: StartWatch,
  error: unknown,
): Promise<unknown> {
  if (watch.over.aborted) {
    const [late] = await Promise.all([tooLate(program, watch), started[Symbol.asyncDispose]()])
    return late
  }
  const exit = await Promise.race([started.exit, sleep(lastWordsMs, null, { ref: false })])
  await started[Symbol.asyncDispose]()
  return exit === null ? error : endedEarly(program, exit, watch)
}

/** The error of a program that ended before it was ready: how it ended, its output, and what to do. */
export async function endedEarly(
  program: Program,
  exit: Exit,
  watch: StartWatch | null,
): Promise<DragomanError> {
  const { title, install } = program
  const { code, signal, reason } = exit
  if (code === null && signal === null) {
    const how = install === null ? '' : `To install it: ${install}`
    return unavailable(sentences(`${title} could not be started.`, reason ?? '', how))
  }
  const seen = reason === null ? (watch?.seen() ?? '') : ''
  const what = `${title} ${howEnded(exit)} before it was ready${because(reason)}`
  return unavailable(sentences(what, seen, await advice(program)))
}

/** The error of a program that was not ready in time. */
export async function tooLate(program: Program, watch: StartWatch): Promise<DragomanError> {
  const what = `${program.title} was not ready within ${watch.waited()} and was stopped.`
  return unavailable(sentences(what, watch.seen(), await advice(program)))
}

const howEnded = ({ code, signal }: Exit) =>
  signal === null ? `exited with code ${code}` : `was killed by ${signal}`

/** What to do about a program, depending on its version. */
async function advice(program: Program): Promise<string> {
  const limits = { quietMs: lookMs / 2, mostMs: lookMs }
  const look = await Promise.race([lookAt(program, limits), sleep(lookMs, null, { ref: false })])
  const version = look?.type === 'there' ? look.version : null
  const doubt = ageAdvice(program, version)
  return sentences(doubt === null ? '' : `Its version ${version} is ${doubt}`, tryIt(program))
}

/** What to do if there is no better advice. */
export const tryIt = ({ command }: Pick<Program, 'command'>) =>
  `Try "${command} --version" in a terminal, and run "dragoman doctor".`

const because = (reason: string | null) =>
  reason === null ? '.' : `: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`

const sentences = (...all: readonly string[]) => all.filter(Boolean).join(' ')

const unavailable = (message: string) => new DragomanError('agent-unavailable', message)
