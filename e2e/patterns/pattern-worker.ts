import { parentPort } from 'node:worker_threads'
import type { Pattern } from './find-patterns.ts'
import { growthOf } from './growth.ts'
import { hostileInputs, inputOf } from './hostile-inputs.ts'

/** The result for a pattern: how many inputs were tried, and the first that makes it slow. */
export interface Verdict {
  readonly at: number
  readonly tried: number
  readonly fault: string | null
}

/** The input of a thread: the patterns from one on, and how long the inputs are. */
export interface Task {
  readonly patterns: readonly Pattern[]
  readonly from: number
  readonly length: number
}

// A separate thread, so that a pattern that never ends can be stopped.
parentPort?.on('message', ({ patterns, from, length }: Task) => {
  for (const [offset, pattern] of patterns.slice(from).entries()) {
    const verdict: Verdict = { at: from + offset, ...judge(pattern, length) }
    parentPort?.postMessage(verdict)
  }
})

function judge({ source, flags }: Pattern, length: number): Omit<Verdict, 'at'> {
  const expression = new RegExp(source, flags)
  const inputs = hostileInputs(source, flags)
  for (const [index, input] of inputs.entries()) {
    const fault = growthOf(size => {
      const text = inputOf(input, size)
      return () => use(expression, text)
    }, length)
    if (fault !== null)
      return {
        tried: index + 1,
        fault: `${fault} for ${JSON.stringify(input.before)} + ${JSON.stringify(input.pump)} × n + ${JSON.stringify(input.after)}`,
      }
  }
  return { tried: inputs.length, fault: null }
}

function use(expression: RegExp, text: string): void {
  expression.lastIndex = 0
  if (expression.global) text.replaceAll(expression, '')
  else expression.test(text)
}
