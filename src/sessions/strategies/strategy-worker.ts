import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { CustomQuestion } from '../../context/custom-strategy.ts'
import type { FromStrategy } from './strategy-messages.ts'

/** A thread that reads one strategy of a person and answers questions with it; no other strategy is here. */

const { path } = workerData as { readonly path: string }
const say = (message: FromStrategy) => parentPort?.postMessage(message)
const fail = (error: unknown) =>
  say({ type: 'failed', why: (error instanceof Error ? error.message : String(error)).slice(0, 1000) })

try {
  const { default: strategy } = (await import(pathToFileURL(path).href)) as { readonly default?: unknown }
  parentPort?.on('message', question => answer(strategy, question as CustomQuestion))
  say({ type: 'ready' })
} catch (error) {
  fail(error)
}

function answer(strategy: unknown, question: CustomQuestion): void {
  try {
    if (typeof strategy !== 'function') throw new TypeError(`${question.strategy} is not a function.`)
    const before = process.threadCpuUsage()
    const given = strategy(question) as unknown
    const { user, system } = process.threadCpuUsage(before)
    if (isPromise(given)) {
      // How it would have ended no longer matters.
      Promise.resolve(given).catch(() => {})
      throw new TypeError('It must return its result directly, not a promise.')
    }
    say({
      type: 'answered',
      answer: given,
      took: (user + system) / 1000,
      beside: process.memoryUsage().external,
    })
  } catch (error) {
    fail(error)
  }
}

function isPromise(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'then' in given && typeof given.then === 'function'
}
