import { Worker } from 'node:worker_threads'
import type { Pattern } from './find-patterns.ts'
import type { Task, Verdict } from './pattern-worker.ts'

/** How patterns are tried. */
export interface Trial {
  /** How many characters an input has at first. */
  readonly length: number
  /** Processor time, in milliseconds, after which a pattern without a result counts as endless. */
  readonly patience?: number
}

/** Tries every pattern with hostile inputs, in a thread that is ended when a pattern holds it. */
export async function tryPatterns(
  patterns: readonly Pattern[],
  { length, patience = 10_000 }: Trial,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = []
  while (verdicts.length < patterns.length) {
    const more = await runThread({ patterns, from: verdicts.length, length }, patience)
    verdicts.push(...more)
    if (verdicts.length < patterns.length)
      verdicts.push({ at: verdicts.length, tried: 1, fault: `held its thread for ${patience / 1000} s` })
  }
  return verdicts
}

async function runThread(task: Task, patience: number): Promise<readonly Verdict[]> {
  const worker = new Worker(new URL('pattern-worker.ts', import.meta.url))
  const verdicts: Verdict[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let last = process.cpuUsage()
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(last)
    if ((user + system) / 1000 > patience) resolve()
  }, 100)
  worker.on('error', reject)
  worker.on('message', (verdict: Verdict) => {
    last = process.cpuUsage()
    verdicts.push(verdict)
    if (task.from + verdicts.length === task.patterns.length) resolve()
  })
  worker.postMessage(task)
  try {
    await promise
  } finally {
    clearInterval(watch)
    await worker.terminate()
  }
  return verdicts
}
