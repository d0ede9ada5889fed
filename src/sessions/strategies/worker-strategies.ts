import { Worker } from 'node:worker_threads'
import {
  customMilliseconds,
  type CustomOutcome,
  type CustomQuestion,
  type CustomStrategies,
} from '../../context/custom-strategy.ts'
import type { FromStrategy, StrategyModules } from './strategy-messages.ts'

/** Strategies of one's own, in threads that are ended when one of them does not come back. */
export interface WorkerStrategies extends CustomStrategies, AsyncDisposable {}

/** How long loading a person's module may take; the strategy itself has far less. */
const loadMilliseconds = 5000
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
export function createWorkerStrategies(modules: StrategyModules): WorkerStrategies {
  const threads = new Map(Object.entries(modules).map(([name, path]) => [name, createThread(path)]))
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
function createThread(path: string): WorkerStrategies {
  let worker: Promise<Worker> | null = null
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
  const askNow = async (question: CustomQuestion): Promise<CustomOutcome> => {
    try {
      const ended = () => void (worker = null)
      const outcome = await answerOf(await (worker ??= startWorker(path, ended)), question)
      if (!outcome.isAnswered && outcome.code === 'strategy-too-slow') await end()
      return outcome
    } catch (error) {
      await end()
      return failed(error instanceof Error ? error.message : String(error))
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

/** A thread that has read the module. */
async function startWorker(path: string, ended: () => void): Promise<Worker> {
  const file = new URL(
    `./strategy-worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`,
    import.meta.url,
  )
  const worker = new Worker(file, {
    workerData: { path },
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })
  worker.unref()
  // What nobody waits for is told by the end that follows it.
  worker.on('error', () => {})
  const first = await next(worker, loadMilliseconds)
  if (first?.type !== 'ready') {
    await worker.terminate()
    throw new Error(first?.type === 'failed' ? first.why : 'The strategy could not be loaded in time.')
  }
  worker.once('exit', ended)
  return worker
}

async function answerOf(worker: Worker, question: CustomQuestion): Promise<CustomOutcome> {
  worker.postMessage(question)
  const message = await next(worker, mostMilliseconds)
  if (message === null || (message.type === 'answered' && message.took > customMilliseconds))
    return tooSlow(`${question.strategy} took more than ${customMilliseconds} ms.`)
  if (message.type === 'answered') return { isAnswered: true, answer: message.answer }
  return failed(message.type === 'failed' ? message.why : 'It said something else than an answer.')
}

/** What a thread says next; null when it says nothing in time. */
function next(worker: Worker, milliseconds: number): Promise<FromStrategy | null> {
  const { promise, resolve } = Promise.withResolvers<FromStrategy | null>()
  const timer = setTimeout(() => resolve(null), milliseconds)
  const hear = (message: FromStrategy) => resolve(message)
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
