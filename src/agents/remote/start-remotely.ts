import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DragomanError } from '../../protocol/error.ts'
import type { Exit } from '../agent.ts'
import { boundedQueue } from '../kit/bounded-queue.ts'
import { createLogPieces } from '../kit/log-pieces.ts'
import type { Child, ChildOptions, LogPieces } from '../program.ts'
import { acknowledging } from './acknowledge.ts'
import { endRemotely } from './end-remotely.ts'
import { followSession } from './follow-session.ts'
import { createHearing } from './hear-event.ts'
import { persist, type Persistence } from './persist.ts'
import { Lost } from './refusal.ts'
import { createSender } from './send-lines.ts'
import { goneForGood, leftRunning, sentenceOf, type Subject } from './sentences.ts'
import type { Service } from './service.ts'

/** On which service programs are started, and how much patience there is with it. */
export interface Elsewhere {
  readonly service: Service
  readonly subject: Subject
  /** The name of the program there. */
  readonly program: string
  /** How long a service that was lost is looked for, in milliseconds. */
  readonly patienceMs: number
  /** How long one that was never reached is looked for, in milliseconds. */
  readonly startMs: number
}

/** A program on another machine, whose end is told once. */
interface Running extends Pick<Child, 'exit'> {
  readonly logs: LogPieces
  readonly options: ChildOptions
  readonly elsewhere: Elsewhere
  readonly session: string
  /** The end of what it wrote beside its protocol. */
  lastWords: string
  readonly output: ReturnType<typeof boundedQueue<Uint8Array>>
  /** Aborted when it is over. */
  readonly over: AbortSignal
  readonly settle: (how: Exit) => void
}

const readAheadBytes = 1024 * 1024
const lastWordsMs = 1_000
const lastWordsLength = 2_000

/** Starts a program on another machine. What it says comes as if it ran on this one. */
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
    // Its number there would mean another process here.
    pid: null,
    output,
    logs,
    exit,
    lastWords: () => running.lastWords,
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
      running.lastWords = (running.lastWords + text).slice(-lastWordsLength)
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
    lastWords: '',
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

/** Asking twice starts it once: it has its name from us. */
async function start({ options, elsewhere, session, over: signal }: Running): Promise<void> {
  const { service, program, startMs: patienceMs } = elsewhere
  const { cwd, args, env = {} } = options
  const body = JSON.stringify({ program, args, cwd, env })
  await persist(() => service.call('PUT', `/v1/sessions/${session}`, { body, signal }), {
    patienceMs,
    signal,
  })
}

/** Hears the program to its end, or to the end of our patience. Never rejects. */
async function follow(running: Running, started: Promise<void>): Promise<void> {
  const { elsewhere, session, output, logs } = running
  const { service, subject } = elsewhere
  const hearing = createHearing(output, logs)
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
        await hearing.take(event)
        places.reached(number, event.data.length)
        return hearing.exit !== null
      },
    })
  } catch (error) {
    const why = error instanceof Lost ? goneForGood(error.message, elsewhere) : sentenceOf(error, subject)
    return giveUp(running, why)
  }
  places.end()
  if (hearing.exit) running.settle(hearing.exit)
}

/** Ends it on our side, and on the other if that can be: nobody would hear it any more. */
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
  // What it still said is heard, if it comes.
  await Promise.race([followed, sleep(lastWordsMs, undefined, { ref: false })])
  settle(how ?? { code: null, signal: null, reason: leftRunning(elsewhere.subject) })
}

async function whyNotTaken(error: unknown, { exit, options, elsewhere }: Running): Promise<string> {
  const how = await Promise.race([exit, sleep(lastWordsMs, null, { ref: false })])
  if (how === null) return sentenceOf(error, elsewhere.subject)
  const never = how.code === null && how.signal === null
  if (never && how.reason !== null) return how.reason
  const lastWords = how.reason === null ? '' : ` Its last output was: ${how.reason}`
  return `"${options.command}" has exited and accepts no more messages.${lastWords}`
}
