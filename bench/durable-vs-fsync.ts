import { join } from 'node:path'
import { createBell } from '../src/journal/bell.ts'
import type { Bench } from './harness/bench.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { openFileJournal } from './stores/file-journal.ts'
import { openOurStore } from './stores/our-journal.ts'
import { compareThroughput } from './throughput.ts'

/** Our journal beside the least that durable saving can be. */
export const durableVsFsync: Bench = {
  name: 'durable-vs-fsync',
  what: '100 sessions, closed loop: parse, translate, save, deliver',
  beside: 'a bare file append + fdatasync in a worker',
  how: 'As durable-throughput. The peer appends the same bytes to one file with the same batching, without any index.',
  seconds: 25,
  async run({ seconds }) {
    using folder = createScratchFolder()
    await using ours = await openOurStore(join(folder.path, 'ours'))
    const bell = createBell()
    await using file = openFileJournal(join(folder.path, 'file'), bell)
    const measured = await compareThroughput(ours, { journal: file.journal, bell }, seconds)
    return [{ ...measured, goal: { kind: 'at-least', ratio: 0.95 } }]
  },
}
