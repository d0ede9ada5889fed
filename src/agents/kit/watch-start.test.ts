import { tmpdir } from 'node:os'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import type { Patience } from '../agent.ts'
import { startChild } from './child-process.ts'
import { watchActivity } from './group-activity.ts'
import { watchStart, type Starting } from './watch-start.ts'

const quick: Patience = { quietMs: 600, startMs: 2_500 }

afterEach(() => void vi.useRealTimers())

/** Starts a shell script as an agent's program, until the test is over. */
function start(script: string): Starting & { readonly process: number } {
  const { pid, lastWords, ...child } = startChild({
    command: '/bin/sh',
    args: ['-c', script],
    cwd: tmpdir(),
    dataFolder: tmpdir(),
    signal: new AbortController().signal,
  })
  onTestFinished(() => child[Symbol.asyncDispose]())
  if (pid === null) throw new Error('The shell did not start.')
  return { process: pid, lastWords }
}

/** Starts a program that does nothing, and waits until it has finished starting. */
async function startIdle(): Promise<Starting> {
  const starting = start('sleep 66')
  const isActive = watchActivity(starting.process)
  await expect.poll(() => isActive()).toBe(false)
  return starting
}

/** Lets time pass on a fake clock until the program is given up, and returns how many milliseconds that took. */
function millisecondsUntilOver(starting: (passed: () => number) => Starting) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const began = performance.now()
  const passed = () => performance.now() - began
  using watch = watchStart(starting(passed), quick)
  while (!watch.over.aborted && passed() < 2 * quick.startMs) vi.advanceTimersByTime(10)
  return { watch, milliseconds: passed() }
}

/** A watch looks more often than this, so it ends a program at most this late. */
const lookMs = quick.quietMs / 10

it('[A14] a program that does nothing is given up soon', async () => {
  const idle = await startIdle()
  const { watch, milliseconds } = millisecondsUntilOver(() => idle)
  expect([watch.waited(), watch.seen()]).toEqual(['0.6 seconds', ''])
  expect(milliseconds).toBeGreaterThanOrEqual(quick.quietMs)
  // The first activity that the watch sees includes everything that the program computed to start.
  expect(milliseconds).toBeLessThan(quick.quietMs + 2 * lookMs)
})

it('[A14] a program that writes a log gets more time, up to a limit', async () => {
  const idle = await startIdle()
  const lastWords = (passed: () => number) => () => `${Math.floor(passed() / 200)}\nStill here.`
  const { watch, milliseconds } = millisecondsUntilOver(passed => ({ ...idle, lastWords: lastWords(passed) }))
  expect(watch.waited()).toBe('2.5 seconds')
  expect(watch.seen()).toBe('Last line of its log: Still here.')
  expect(milliseconds).toBeLessThan(quick.startMs + lookMs)
})

it('[A14] a program that computes gets more time, up to a limit', async () => {
  using watch = watchStart(start('while :; do :; done'), { quietMs: 300, startMs: 900 })
  await new Promise(resolve => watch.over.addEventListener('abort', resolve))
  expect(watch.waited()).toBe('0.9 seconds')
})

it('[A14] waiting for a line of ours does not count as a delay of the program', async () => {
  const idle = await startIdle()
  const heldMs = 1_000
  const { watch, milliseconds } = millisecondsUntilOver(passed => ({
    ...idle,
    isHeld: () => passed() < heldMs,
  }))
  expect(watch.waited()).toBe('0.6 seconds')
  expect(milliseconds).toBeGreaterThan(heldMs + quick.quietMs - lookMs)
  expect(milliseconds).toBeLessThan(heldMs + quick.quietMs + lookMs)
})

it('[A14] a line of its protocol ends the watch; the first other line is kept', () => {
  vi.useFakeTimers()
  using watch = watchStart({ process: null, lastWords: () => '' }, { quietMs: 200, startMs: 400 })
  watch.hear({ raw: 'Segmentation\u0000 fault' }, false)
  expect(watch.hasSpoken).toBe(false)
  watch.hear({ raw: '{}' }, true)
  vi.advanceTimersByTime(500)
  expect(watch.hasSpoken).toBe(true)
  expect(watch.over.aborted).toBe(false)
  expect(watch.seen()).toBe('Its output does not follow the protocol: "Segmentation\\u0000 fault".')
})

it('[A14] [R2] a flood of other lines ends the watch soon', () => {
  using watch = watchStart({ process: null, lastWords: () => '' }, { quietMs: 60_000, startMs: 60_000 })
  for (let line = 1; line < 1_000; line += 1) watch.hear({ raw: 'y' }, false)
  expect(watch.over.aborted).toBe(false)
  watch.hear({ raw: 'y' }, false)
  expect(watch.over.aborted).toBe(true)
})
