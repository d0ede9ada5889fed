import { createBell } from '../src/journal/bell.ts'
import type { Bench } from './harness/bench.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { openOurStore } from './stores/our-journal.ts'
import { createPassingJournal } from './stores/passing-journal.ts'
import { compareThroughput } from './throughput.ts'

/** The cost of saving when everything runs as fast as it can. */
export const durableThroughput: Bench = {
  name: 'durable-throughput',
  what: '100 sessions, closed loop: parse, translate, save, deliver',
  beside: 'the same without storing',
  how: 'Lines a second with at most 16 lines of a session under way, until the writer has nothing left to do.',
  seconds: 25,
  async run({ seconds }) {
    using folder = createScratchFolder()
    await using ours = await openOurStore(folder.path)
    const bell = createBell()
    const measured = await compareThroughput(ours, { journal: createPassingJournal(bell), bell }, seconds)
    return [{ ...measured, goal: { kind: 'at-least', ratio: 0.72 } }]
  },
}
