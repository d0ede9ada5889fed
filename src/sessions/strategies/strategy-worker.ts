import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { CustomQuestion } from '../../context/custom-strategy.ts'
import { errorMessage } from '../../protocol/error.ts'
import type { FromStrategy } from './strategy-messages.ts'

/** A thread that loads one custom strategy and answers questions with it. No other strategy runs here. */

const { path } = workerData as { readonly path: string }
const send = (message: FromStrategy) => parentPort?.postMessage(message)
const fail = (error: unknown) => send({ type: 'failed', why: errorMessage(error).slice(0, 1000) })

try {
  const { default: strategy } = (await import(pathToFileURL(path).href)) as { readonly default?: unknown }
  parentPort?.on('message', question => answer(strategy, question as CustomQuestion))
  send({ type: 'ready' })
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
      // Its result no longer matters.
      Promise.resolve(given).catch(() => {})
      throw new TypeError('It must return its result directly, not a promise.')
    }
    send({
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
