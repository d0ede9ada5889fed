import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
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

const rounds = 8
const appends = 200

/** How much later chunks arrive because they are saved first. */
export const saveFirstLatency: Bench = {
  name: 'save-first-latency',
  what: '100 sessions × 75 lines a second: median delay that saving adds to a line',
  beside: 'a bare 4 KB file append + fdatasync',
  how: 'The median time with saving minus the median time without, divided by the median time of a single synchronous append. Short slices of the three take turns.',
  seconds: 25,
  async run({ seconds }) {
    using folder = createScratchFolder()
    const options = { sessions: 100, pace: 75, lines: createNativeLines(4096) }
    const bell = createBell()
    await using ours = await openOurStore(join(folder.path, 'ours'))
    await using saving = await openOpenLoop(ours, options)
    await using passing = await openOpenLoop({ journal: createPassingJournal(bell), bell }, options)
    const length = (seconds * 1000) / (rounds + 1) / 2

    const [saved = [], passed = [], disk = []] = await interleave(rounds, [
      () => lag(saving, length),
      () => lag(passing, length),
      () => bareAppend(folder.path),
    ])
    const added = saved.map((value, round) => value - (passed[round] ?? 0))
    return [
      {
        ours: `+${milliseconds(median(added))}`,
        peer: milliseconds(median(disk)),
        ...ratioOf(added, disk),
        goal: { kind: 'at-most', ratio: 1.5 },
        note: `median ${milliseconds(median(saved))} with saving, ${milliseconds(median(passed))} without`,
      },
    ]
  },
}

async function lag(loop: OpenLoop, length: number): Promise<number> {
  const delays = await loop.run(length)
  await workLeft()
  return median(delays)
}

/** The median of single appends, one after another, with nothing between caller and file. */
async function bareAppend(folder: string): Promise<number> {
  const file = openSync(join(folder, 'bare'), 'a')
  const block = Buffer.alloc(4096, 'x')
  const times: number[] = []
  for (let i = 0; i < appends; i++) {
    const begin = performance.now()
    writeSync(file, block)
    fdatasyncSync(file)
    times.push(performance.now() - begin)
  }
  closeSync(file)
  return median(times)
}
