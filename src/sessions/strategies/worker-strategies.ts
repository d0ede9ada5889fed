import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { CustomOutcome, CustomQuestion, CustomStrategies } from '../../context/custom-strategy.ts'
import { customMilliseconds } from '../../context/strategies/strategy.ts'
import { errorMessage } from '../../protocol/error.ts'
import type { FromStrategy, StrategyModules } from './strategy-messages.ts'

/** Custom strategies in threads. A thread that does not answer in time is ended. */
export interface WorkerStrategies extends CustomStrategies, AsyncDisposable {}

/** How long loading a module may take; the strategy itself has far less time. */
const loadMilliseconds = 5000
/** How long a module that could not be loaded is not retried, unless its file changes: loading may take the full time. */
const restMilliseconds = 60_000
/** How much memory a thread may have on its heap, and outside it. */
const heapMegabytes = 64
const besideMegabytes = 128
/** The wall time after which a strategy that waits or loops is stopped. */
const mostMilliseconds = 10 * customMilliseconds

const failed = (why: string): CustomOutcome => ({ isAnswered: false, code: 'strategy-failed', why })
const tooSlow = (why: string): CustomOutcome => ({ isAnswered: false, code: 'strategy-too-slow', why })

/**
 * Runs custom strategies, each in a separate thread, so that they cannot affect each other.
 * A thread and not `node:vm`: a loop there would block the whole server until its timeout, and use the server's memory.
 * A thread is not a sandbox: a configured module may read files like any program of its user. Its answer is only
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

/** One strategy, asked one question after the other. Its thread is started on demand, and again after it has ended. */
function createThread(path: string, now: () => number): WorkerStrategies {
  let worker: Promise<Worker> | null = null
  let unloadable: { readonly why: string; readonly version: number; readonly until: number } | null = null
  let turn: Promise<unknown> = Promise.resolve()

  const end = async () => {
    const old = worker
    worker = null
    await old?.then(
      each => each.terminate(),
      // A thread that was never started need not be ended.
      () => 0,
    )
  }
  /** The thread, or why the module cannot be loaded. */
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
      unloadable = { why: errorMessage(error), version, until: now() + restMilliseconds }
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
      return failed(errorMessage(error))
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

/** A value that differs when a file was changed. */
const versionOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )

/** A thread that has loaded the module. */
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
  // Its output goes to stderr: programs may read our stdout.
  worker.stdout.on('data', (output: Buffer) => process.stderr.write(output))
  // An error without a waiter is reported by the exit that follows it.
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

/** A message of a thread, or that none came in time, or that it was not one of ours. */
type ConnectionItem = FromStrategy | { readonly type: 'silent' } | { readonly type: 'strange' }

/** The next message of a thread. */
function next(worker: Worker, milliseconds: number): Promise<ConnectionItem> {
  const { promise, resolve } = Promise.withResolvers<ConnectionItem>()
  const timer = setTimeout(() => resolve({ type: 'silent' }), milliseconds)
  const take = (message: unknown) => resolve(isOurs(message) ? message : { type: 'strange' })
  const fail = (error: unknown) =>
    resolve({ type: 'failed', why: error instanceof Error ? error.message : 'The thread ended.' })
  worker.once('message', take)
  worker.once('error', fail)
  worker.once('exit', fail)
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', take)
    worker.off('error', fail)
    worker.off('exit', fail)
  })
}

/** The module itself may send messages, too, of any shape. */
function isOurs(message: unknown): message is FromStrategy {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false
  if (message.type === 'failed') return 'why' in message && typeof message.why === 'string'
  if (message.type !== 'answered') return message.type === 'ready'
  return 'answer' in message && 'took' in message && 'beside' in message
}
