import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Bench } from './harness/bench.ts'
import { interleave, ratioOf, type Slice } from './harness/interleave.ts'
import { milliseconds } from './harness/numbers.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'

const rounds = 20
const root = join(import.meta.dirname, '..')
const built = join(root, 'dist/cli/main.js')

/** How long the command line takes to list sessions. */
export const cliStart: Bench = {
  name: 'cli-start',
  what: 'dragoman sessions, from the built package',
  beside: 'node -e 0',
  how: `The package is built first. Wall time of the whole process, from its start to its exit, in a data folder with two sessions and no server. Code that Node compiled before is kept, as it is for a user. Both take turns, ${rounds} rounds. The note has the time of \`--version\`, which loads almost nothing.`,
  seconds: 0,
  async run() {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b'], { cwd: root })
    using folder = createScratchFolder()
    const data = join(folder.path, 'data')
    const timed = (...args: readonly string[]): Slice => createTimed(folder.path, args)
    for (const prompt of ['hello', 'hello again']) await timed(built, 'run', '--data', data, prompt)()
    const [bare = [], version = [], listing = []] = await interleave(rounds, [
      timed('-e', '0'),
      timed(built, '--version'),
      timed(built, 'sessions', '--data', data),
    ])
    return [
      {
        ours: milliseconds(median(listing)),
        peer: milliseconds(median(bare)),
        ...ratioOf(listing, bare),
        goal: { kind: 'at-most', ratio: 8 },
        note: `--version takes ${milliseconds(median(version))}`,
      },
    ]
  },
}

/** Runs Node to its end, with a separate home folder. */
const createTimed = (home: string, args: readonly string[]): Slice => {
  const env = { PATH: process.env['PATH'], HOME: home }
  return () => {
    const begin = performance.now()
    execFileSync(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    return Promise.resolve(performance.now() - begin)
  }
}
