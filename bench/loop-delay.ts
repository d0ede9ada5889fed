import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createBell } from '../src/journal/bell.ts'
import type { Bench } from './harness/bench.ts'
import { interleave, ratioOf } from './harness/interleave.ts'
import { milliseconds } from './harness/numbers.ts'
import { workLeft } from './harness/quiet.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'
import { createNativeLines } from './load/native-lines.ts'
import { openOpenLoop, type OpenLoop } from './load/open-loop.ts'
import { openOurStore } from './stores/our-journal.ts'
import { createPassingJournal } from './stores/passing-journal.ts'

const rounds = 12

/** How long other work on the main thread has to wait because of us. */
export const loopDelay: Bench = {
  name: 'loop-delay',
  what: '25,000 lines a second: main thread delay, p99.9',
  beside: 'nothing stored',
  how: '100 sessions × 250 lines a second; the delay of the event loop, sampled every millisecond.',
  seconds: 30,
  async run({ seconds }) {
    using folder = createScratchFolder()
    const options = { sessions: 100, pace: 250, lines: createNativeLines(4096) }
    const bell = createBell()
    await using ours = await openOurStore(folder.path)
    await using saving = await openOpenLoop(ours, options)
    await using passing = await openOpenLoop({ journal: createPassingJournal(bell), bell }, options)
    const length = (seconds * 1000) / (rounds + 1) / 2
    const [saved = [], passed = []] = await interleave(rounds, [
      () => delayOf(saving, length),
      () => delayOf(passing, length),
    ])
    return [
      {
        ours: milliseconds(median(saved)),
        peer: milliseconds(median(passed)),
        ...ratioOf(saved, passed),
        goal: { kind: 'at-most', ratio: 1.5 },
      },
    ]
  },
}

async function delayOf(loop: OpenLoop, length: number): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  await loop.run(length)
  delays.disable()
  await workLeft()
  return delays.percentile(99.9) / 1e6
}
