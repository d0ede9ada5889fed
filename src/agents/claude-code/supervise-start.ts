import { setTimeout as sleep } from 'node:timers/promises'
import type { Raw } from '../../protocol/event.ts'
import type { ConnectOptions, Exit, Patience } from '../agent.ts'
import type { LineChannel } from '../kit/line-channel.ts'
import { parseJson } from '../kit/parse-json.ts'
import type { Program } from '../kit/readiness.ts'
import { endedEarly, tooLate } from '../kit/start-failure.ts'
import { defaultPatience, watchStart, type StartWatch } from '../kit/watch-start.ts'
import { textOf, wordsOf } from './messages.ts'

/** What runs before the answer to a first prompt, servers of tools and hooks, may take its time. */
const answerPatience = ({ startMs }: Patience): Patience => ({ quietMs: startMs, startMs: 10 * startMs })

/** What a program wrote before it ended is soon read. */
const lastWordsMs = 500

/** What is watched of Claude Code until it has answered for the first time. */
export interface Start {
  /** The watch until it answers our greeting, or says anything else. */
  readonly greeting: StartWatch
  /** How it ends: one that never got so far is told of in a sentence. */
  readonly exit: Promise<Exit>
  hear(raw: Raw): void
  /** Its words are over. */
  hearEnd(): void
  /** Waits a moment until all was heard that it wrote. */
  heardOut(): Promise<void>
  /** Waits for the first words to a prompt, once. */
  awaitAnswer(): void
  /** Ends the watch: from now on its end is ours. */
  callOff(): void
}

/** Ends a Claude Code that hangs before it has answered anything. */
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
  const heardOut = () => Promise.race([ended.promise, sleep(lastWordsMs, undefined, { ref: false })])
  endWhenOver(greeting)
  signal.addEventListener('abort', callOff, { once: true })
  return {
    greeting,
    exit: channel.exit.then(async exit => {
      const isKnown = greeting.hasSpoken || isOurs
      callOff()
      if (late === null && isKnown) return exit
      await heardOut()
      const failure = late === null ? endedEarly(program, exit, greeting) : tooLate(program, late)
      return { ...exit, sentence: (await failure).message }
    }),
    hear(raw) {
      if (answering?.hasSpoken === true) return
      const type = textOf(wordsOf(parseJson(raw.raw))?.['type'])
      greeting.hear(raw, type !== null)
      if (type !== null && !type.startsWith('control_')) answering?.hear(raw, true)
    },
    hearEnd() {
      isMute = true
      ended.resolve()
    },
    heardOut,
    awaitAnswer() {
      if (answering !== null || isOurs) return
      answering = watchStart(channel, answerPatience(patience))
      endWhenOver(answering)
    },
    callOff,
  }
}
