import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DragomanError } from '../../protocol/error.ts'
import { asObject } from '../../protocol/json.ts'
import type { Exit } from '../agent.ts'
import { boundedQueue } from '../kit/bounded-queue.ts'
import { objectOf, textOrNull } from '../kit/fields.ts'
import { createLogPieces } from '../kit/log-pieces.ts'
import type { Child, ChildOptions, LogPieces } from '../program.ts'
import { acknowledging } from './acknowledge.ts'
import { followSession } from './follow-session.ts'
import { createEventHandler } from './handle-events.ts'
import { persist, type Persistence } from './persist.ts'
import { Lost } from './refusal.ts'
import { createSender } from './send-lines.ts'
import { goneForGood, leftRunning, sentenceOf, type Subject } from './sentences.ts'
import type { Service } from './service.ts'

/** The service that starts programs, and how long to wait for it. */
export interface Elsewhere {
  readonly service: Service
  readonly subject: Subject
  /** The program's name on the service. */
  readonly program: string
  /** How long to look for a lost service, in milliseconds. */
  readonly patienceMs: number
  /** How long to look for a service that was never reached, in milliseconds. */
  readonly startMs: number
}

/** A program on another machine, whose end is reported once. */
interface Running extends Pick<Child, 'exit'> {
  readonly logs: LogPieces
  readonly options: ChildOptions
  readonly elsewhere: Elsewhere
  readonly session: string
  /** The end of its log output. */
  lastLog: string
  readonly output: ReturnType<typeof boundedQueue<Uint8Array>>
  /** Aborted when it has ended. */
  readonly over: AbortSignal
  readonly settle: (how: Exit) => void
}

const readAheadBytes = 1024 * 1024
const lastEventsMs = 1_000
const lastLogLength = 2_000

/** Starts a program on another machine. Its output comes as if it ran on this one. */
export function startRemotely(options: ChildOptions, elsewhere: Elsewhere): Child {
  const running = createRunning(options, elsewhere)
  const { output, logs, exit, over } = running
  const started = start(running)
  const followed = follow(running, started)
  const send = createSender(elsewhere.service, running.session, started, persistenceOf(running))
  let ending: Promise<void> | null = null
  const dispose = () => (ending ??= end(running, followed))
  const abort = () => void dispose()
  options.signal.addEventListener('abort', abort, { once: true })
  over.addEventListener('abort', () => options.signal.removeEventListener('abort', abort))
  if (options.signal.aborted) abort()
  return {
    // Its process id there would mean another process here.
    pid: null,
    output,
    logs,
    exit,
    lastWords: () => running.lastLog,
    async write(text) {
      try {
        await send(text)
      } catch (error) {
        if (error instanceof Lost) giveUp(running, goneForGood(error.message, elsewhere))
        throw new DragomanError('agent-unavailable', await whyNotTaken(error, running))
      }
    },
    [Symbol.asyncDispose]: dispose,
  }
}

function createRunning(options: ChildOptions, elsewhere: Elsewhere): Running {
  const pieces = createLogPieces()
  const logs: LogPieces = {
    ...pieces,
    add(text) {
      running.lastLog = (running.lastLog + text).slice(-lastLogLength)
      pieces.add(text)
    },
  }
  const output = boundedQueue<Uint8Array>(readAheadBytes, ({ length }) => length)
  const over = new AbortController()
  const { promise: exit, resolve } = Promise.withResolvers<Exit>()
  const settle = (how: Exit) => {
    resolve(how)
    over.abort()
    logs.end()
    output.release()
    output.end()
  }
  const running: Running = {
    options,
    elsewhere,
    session: randomUUID(),
    lastLog: '',
    logs,
    output,
    exit,
    over: over.signal,
    settle,
  }
  return running
}

const persistenceOf = ({ elsewhere: { patienceMs }, over: signal }: Running): Persistence => ({
  patienceMs,
  signal,
})

/** A repeated request starts it once: we choose its name. */
async function start({ options, elsewhere, session, over: signal }: Running): Promise<void> {
  const { service, program, startMs: patienceMs } = elsewhere
  const { cwd, args, env = {} } = options
  const body = JSON.stringify({ program, args, cwd, env })
  await persist(() => service.call('PUT', `/v1/sessions/${session}`, { body, signal }), {
    patienceMs,
    signal,
  })
}

/** Reads the program's events to its end, or until we give up. Never rejects. */
async function follow(running: Running, started: Promise<void>): Promise<void> {
  const { elsewhere, session, output, logs } = running
  const { service, subject } = elsewhere
  const handler = createEventHandler(output, logs)
  const places = acknowledging(service, session)
  try {
    await started
  } catch (error) {
    return giveUp(running, sentenceOf(error, subject))
  }
  try {
    await followSession(service, session, {
      ...persistenceOf(running),
      onTrouble: why => logs.add(`The connection to ${service.url} was lost (${why}). Retrying.\n`),
      onReturn: () => logs.add(`The connection to ${service.url} is restored.\n`),
      async take(event, number) {
        await handler.take(event)
        places.reached(number, event.data.length)
        return handler.exit !== null
      },
    })
  } catch (error) {
    const why = error instanceof Lost ? goneForGood(error.message, elsewhere) : sentenceOf(error, subject)
    return giveUp(running, why)
  }
  places.end()
  if (handler.exit) running.settle(handler.exit)
}

/** Ends it on our side, and on the service if it can be reached: it has no reader any more. */
function giveUp({ over, settle, elsewhere, session, options }: Running, reason: string): void {
  if (over.aborted) return
  settle({ code: null, signal: null, reason })
  void endRemotely(elsewhere.service, session, options.grace)
}

async function end(
  { over, settle, elsewhere, session, options }: Running,
  followed: Promise<void>,
): Promise<void> {
  if (over.aborted) return
  const how = await endRemotely(elsewhere.service, session, options.grace)
  // Its last output is read, if it comes.
  await Promise.race([followed, sleep(lastEventsMs, undefined, { ref: false })])
  settle(how ?? { code: null, signal: null, reason: leftRunning(elsewhere.subject) })
}

async function whyNotTaken(error: unknown, { exit, options, elsewhere }: Running): Promise<string> {
  const how = await Promise.race([exit, sleep(lastEventsMs, null, { ref: false })])
  if (how === null) return sentenceOf(error, elsewhere.subject)
  const never = how.code === null && how.signal === null
  if (never && how.reason !== null) return how.reason
  const output = how.reason === null ? '' : ` Its last output was: ${how.reason}`
  return `"${options.command}" has exited and accepts no more messages.${output}`
}

const defaultGraceMs = 2_000
const endPatienceMs = 3_000

/**
 * Asks a service to end a program and all that it started, and returns how it ended; null when the service could not
 * be reached.
 */
async function endRemotely(
  service: Service,
  session: string,
  graceMs = defaultGraceMs,
): Promise<Exit | null> {
  const path = `/v1/sessions/${session}?grace=${graceMs / 1000}`
  try {
    const signal = AbortSignal.timeout(endPatienceMs + 2 * graceMs)
    const reply = await persist(() => service.call('DELETE', path, { signal }), {
      patienceMs: endPatienceMs,
      signal,
    })
    const exit = objectOf(asObject(reply), 'exit')
    const { code } = exit
    return {
      code: typeof code === 'number' ? code : null,
      signal: textOrNull(exit, 'signal'),
      reason: textOrNull(exit, 'reason'),
    }
  } catch {
    // The service ends the program by itself when it has no reader any more.
    return null
  }
}
