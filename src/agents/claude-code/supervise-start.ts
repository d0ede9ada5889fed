import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentLine, ConnectOptions, Exit, Patience } from '../agent.ts'
import type { LineChannel } from '../kit/line-channel.ts'
import type { Program } from '../kit/readiness.ts'
import { endedEarly, tooLate } from '../kit/start-failure.ts'
import { defaultPatience, watchStart, type StartWatch } from '../kit/watch-start.ts'
import { textOf, fieldsOf } from './messages.ts'

/** Tool servers and hooks run before the answer to a first prompt and may take long. */
const answerPatience = ({ startMs }: Patience): Patience => ({ quietMs: startMs, startMs: 10 * startMs })

/** The last output of a program is read soon after its end. */
const lastWordsMs = 500

/** Watches Claude Code until its first answer. */
export interface Start {
  /** The watch until it answers our initialize request, or writes anything else. */
  readonly greeting: StartWatch
  /** How it ends: a program that never got ready is reported with a clear error. */
  readonly exit: Promise<Exit>
  /** Whether it still needs each line parsed. */
  readonly isWatching: boolean
  hear(line: AgentLine): void
  /** Its output has ended. */
  hearEnd(): void
  /** Waits a moment until all its output was read. */
  outputRead(): Promise<void>
  /** Waits for the first line after a prompt, once. */
  awaitAnswer(): void
  /** Ends the watch: from now on we end the process. */
  callOff(): void
}

/** Ends a Claude Code that hangs before its first answer. */
export function superviseStart(
  program: Program,
  channel: LineChannel,
  { patience = defaultPatience, signal }: ConnectOptions,
): Start {
  const greeting = watchStart(channel, patience)
  let answering: StartWatch | null = null
  let isOurs = false
  let isMute = false
  let late: StartWatch | null = null
  const endWhenOver = (watch: StartWatch) =>
    watch.over.addEventListener('abort', () => {
      late = watch
      void channel[Symbol.asyncDispose]()
    })
  const callOff = () => {
    isOurs ||= !isMute
    greeting[Symbol.dispose]()
    answering?.[Symbol.dispose]()
  }
  const ended = Promise.withResolvers<void>()
  const outputRead = () => Promise.race([ended.promise, sleep(lastWordsMs, undefined, { ref: false })])
  endWhenOver(greeting)
  signal.addEventListener('abort', callOff, { once: true })
  return {
    greeting,
    exit: channel.exit.then(async exit => {
      const isKnown = greeting.hasSpoken || isOurs
      callOff()
      if (late === null && isKnown) return exit
      await outputRead()
      const failure = late === null ? endedEarly(program, exit, greeting) : tooLate(program, late)
      return { ...exit, sentence: (await failure).message }
    }),
    get isWatching() {
      return answering?.hasSpoken !== true
    },
    hear(line) {
      if (answering?.hasSpoken === true) return
      const type = textOf(fieldsOf(line.parsed)?.['type'])
      greeting.hear(line, type !== null)
      if (type !== null && !type.startsWith('control_')) answering?.hear(line, true)
    },
    hearEnd() {
      isMute = true
      ended.resolve()
    },
    outputRead,
    awaitAnswer() {
      if (answering !== null || isOurs) return
      answering = watchStart(channel, answerPatience(patience))
      endWhenOver(answering)
    },
    callOff,
  }
}
