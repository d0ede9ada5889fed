import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { CustomQuestion } from '../../context/custom-strategy.ts'
import type { FromStrategies, StrategyModules } from './strategy-messages.ts'

/** A thread that reads a person's strategies and answers questions with them. */

const { modules } = workerData as { readonly modules: StrategyModules }
const strategies = new Map<string, unknown>()
const say = (message: FromStrategies) => parentPort?.postMessage(message)
const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error))

try {
  for (const [name, path] of Object.entries(modules)) {
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown }
    strategies.set(name, module.default)
  }
  parentPort?.on('message', answer)
  say({ type: 'ready' })
} catch (error) {
  say({ type: 'failed', why: sentence(error) })
}

function answer(question: CustomQuestion): void {
  const strategy = strategies.get(question.strategy)
  try {
    if (typeof strategy !== 'function') throw new TypeError(`${question.strategy} is no function.`)
    say({ type: 'answered', answer: strategy(question) as unknown })
  } catch (error) {
    say({ type: 'failed', why: sentence(error) })
  }
}
