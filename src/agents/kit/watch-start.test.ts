import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { Patience } from '../agent.ts'
import { startChild } from './child-process.ts'
import { watchStart } from './watch-start.ts'

const quick: Patience = { quietMs: 600, startMs: 2_500 }

/** Watches a shell script, and says after how many milliseconds it was given up. */
async function watched(script: string, patience = quick, meanwhile?: (isHeld: { now: boolean }) => void) {
  const child = startChild({
    command: '/bin/sh',
    args: ['-c', script],
    cwd: tmpdir(),
    dataFolder: tmpdir(),
    signal: new AbortController().signal,
  })
  onTestFinished(() => child[Symbol.asyncDispose]())
  const held = { now: false }
  const { pid: process, lastWords } = child
  using watch = watchStart({ process, lastWords, isHeld: () => held.now }, patience)
  const began = performance.now()
  meanwhile?.(held)
  await new Promise(resolve => watch.over.addEventListener('abort', resolve))
  return { watch, milliseconds: performance.now() - began }
}

it('[A14] a program that does nothing is given up soon', async () => {
  const { watch, milliseconds } = await watched('sleep 66')
  expect(milliseconds).toBeLessThan(1_800)
  expect([watch.waited(), watch.seen()]).toEqual(['0.6 seconds', ''])
})

it('[A14] one that writes a log or computes gets more time, and not for ever', async () => {
  const writes = await watched('while :; do echo Still here. >&2; sleep 0.2; done')
  expect(writes.milliseconds).toBeGreaterThan(2_400)
  expect(writes.watch.seen()).toBe('The last line of its log: Still here.')
  const computes = await watched('while :; do :; done')
  expect(computes.milliseconds).toBeGreaterThan(2_400)
  expect(computes.watch.waited()).toBe('2.5 seconds')
})

it('[A14] what we keep back from it is not its delay', async () => {
  const { milliseconds } = await watched('sleep 66', quick, held => {
    held.now = true
    setTimeout(() => (held.now = false), 1_000)
  })
  expect(milliseconds).toBeGreaterThan(1_500)
})

it('[A14] words of its protocol end the watch; others are remembered', async () => {
  using watch = watchStart({ process: null, lastWords: () => '' }, { quietMs: 200, startMs: 400 })
  watch.hear({ raw: 'Segmentation\u0000 fault' }, false)
  expect(watch.hasSpoken).toBe(false)
  watch.hear({ raw: '{}' }, true)
  await sleep(500)
  expect(watch.hasSpoken).toBe(true)
  expect(watch.over.aborted).toBe(false)
  expect(watch.seen()).toBe('What it wrote is not its protocol: "Segmentation\\u0000 fault".')
})

it('[A14] [R2] a flood of something else is not listened to for long', () => {
  using watch = watchStart({ process: null, lastWords: () => '' }, { quietMs: 60_000, startMs: 60_000 })
  for (let line = 1; line < 1_000; line += 1) watch.hear({ raw: 'y' }, false)
  expect(watch.over.aborted).toBe(false)
  watch.hear({ raw: 'y' }, false)
  expect(watch.over.aborted).toBe(true)
})
