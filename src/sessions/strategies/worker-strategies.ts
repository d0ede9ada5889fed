import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { CustomOutcome, CustomQuestion, CustomStrategies } from '../../context/custom-strategy.ts'
import { customMilliseconds } from '../../context/strategies/strategy.ts'
import type { FromStrategy, StrategyModules } from './strategy-messages.ts'

/** Strategies of one's own, in threads that are ended when one of them does not come back. */
export interface WorkerStrategies extends CustomStrategies, AsyncDisposable {}

/** How long loading a person's module may take; the strategy itself has far less. */
const loadMilliseconds = 5000
/** How long one that could not be loaded is left alone, unless its file changes: trying may take as long as it can. */
const restMilliseconds = 60_000
/** How much a thread may have on its heap, and beside it. */
const heapMegabytes = 64
const besideMegabytes = 128
/** When it is stopped by the clock, as one that waits or loops must be. */
const mostMilliseconds = 10 * customMilliseconds

const failed = (why: string): CustomOutcome => ({ isAnswered: false, code: 'strategy-failed', why })
const tooSlow = (why: string): CustomOutcome => ({ isAnswered: false, code: 'strategy-too-slow', why })

/**
 * Runs strategies of one's own, each in a thread of its own: what one does to its thread, or says in it, is never another's.
 * In a thread and not in `node:vm`: a loop there would hold up the whole house until its time is over, and its memory would
 * be ours. A thread is no jail: what a person configures may read files like any program of theirs; what it answers is only
 * ever a proposal.
 */
export function createWorkerStrategies(
  modules: StrategyModules,
  now: () => number = Date.now,
): WorkerStrategies {
  const threads = new Map(Object.entries(modules).map(([name, path]) => [name, createThread(path, now)]))
  return {
    async ask(question) {
      const thread = threads.get(question.strategy)
      return thread?.ask(question) ?? failed(`There is no strategy ${question.strategy}.`)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Array.from(threads.values(), thread => thread[Symbol.asyncDispose]()))
    },
  }
}

/** One strategy, asked one question after the other. Its thread is started when it is needed, and anew when it has ended. */
function createThread(path: string, now: () => number): WorkerStrategies {
  let worker: Promise<Worker> | null = null
  let unloadable: { readonly why: string; readonly version: number; readonly until: number } | null = null
  let turn: Promise<unknown> = Promise.resolve()

  const end = async () => {
    const old = worker
    worker = null
    await old?.then(
      each => each.terminate(),
      // One that never came up has nothing to end.
      () => 0,
    )
  }
  /** The thread; when the module cannot be loaded, why. */
  const ready = async (): Promise<Worker | string> => {
    if (worker !== null) return worker
    const version = await versionOf(path)
    if (unloadable !== null && unloadable.version === version && now() < unloadable.until)
      return unloadable.why
    const ended = () => void (worker = null)
    try {
      worker = startWorker(path, ended)
      return await worker
    } catch (error) {
      worker = null
      unloadable = { why: wordsOf(error), version, until: now() + restMilliseconds }
      return unloadable.why
    }
  }
  const askNow = async (question: CustomQuestion): Promise<CustomOutcome> => {
    try {
      const thread = await ready()
      if (typeof thread === 'string') return failed(thread)
      const outcome = await answerOf(thread, question)
      if (!outcome.isAnswered && outcome.code === 'strategy-too-slow') await end()
      return outcome
    } catch (error) {
      await end()
      return failed(wordsOf(error))
    }
  }
  return {
    ask(question) {
      const answer = turn.then(() => askNow(question))
      turn = answer
      return answer
    },
    async [Symbol.asyncDispose]() {
      await turn
      await end()
    },
  }
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Another when a file was changed. */
const versionOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )

/** A thread that has read the module. */
async function startWorker(path: string, ended: () => void): Promise<Worker> {
  const file = new URL(
    `./strategy-worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`,
    import.meta.url,
  )
  const worker = new Worker(file, {
    workerData: { path },
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    stdout: true,
  })
  worker.unref()
  // What it prints is for whoever writes it: our own output is answers, which a program may read.
  worker.stdout.on('data', (words: Buffer) => process.stderr.write(words))
  // What nobody waits for is told by the end that follows it.
  worker.on('error', () => {})
  const first = await next(worker, loadMilliseconds)
  if (first.type !== 'ready') {
    await worker.terminate()
    throw new Error(first.type === 'failed' ? first.why : unready[first.type])
  }
  worker.once('exit', ended)
  return worker
}

const unready = {
  silent: 'The strategy could not be loaded in time.',
  strange: 'The strategy sent a message while it was loading.',
  answered: 'The strategy replied before it was called.',
}

async function answerOf(worker: Worker, question: CustomQuestion): Promise<CustomOutcome> {
  worker.postMessage(question)
  const message = await next(worker, mostMilliseconds)
  if (message.type === 'silent' || (message.type === 'answered' && message.took > customMilliseconds))
    return tooSlow(`${question.strategy} took more than ${customMilliseconds} ms.`)
  if (message.type === 'failed') return failed(message.why)
  if (message.type !== 'answered') return failed('It did not send a valid reply.')
  if (message.beside > besideMegabytes * 2 ** 20)
    throw new Error(`It used more than ${besideMegabytes} MB of buffers and was stopped.`)
  return { isAnswered: true, answer: message.answer }
}

/** What was heard of a thread: nothing in time, or something that is no message of ours, is told too. */
type ConnectionItem = FromStrategy | { readonly type: 'silent' } | { readonly type: 'strange' }

/** What a thread says next. */
function next(worker: Worker, milliseconds: number): Promise<ConnectionItem> {
  const { promise, resolve } = Promise.withResolvers<ConnectionItem>()
  const timer = setTimeout(() => resolve({ type: 'silent' }), milliseconds)
  const hear = (message: unknown) => resolve(isOurs(message) ? message : { type: 'strange' })
  const fail = (error: unknown) =>
    resolve({ type: 'failed', why: error instanceof Error ? error.message : 'The thread ended.' })
  worker.once('message', hear)
  worker.once('error', fail)
  worker.once('exit', fail)
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', hear)
    worker.off('error', fail)
    worker.off('exit', fail)
  })
}

/** A module may send messages too, and they may be anything. */
function isOurs(message: unknown): message is FromStrategy {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false
  if (message.type === 'failed') return 'why' in message && typeof message.why === 'string'
  if (message.type !== 'answered') return message.type === 'ready'
  return 'answer' in message && 'took' in message && 'beside' in message
}
