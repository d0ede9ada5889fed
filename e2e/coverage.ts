/**
 * Runs `npm test` with coverage and prints how many lines and branches of `src` it runs. Vitest sees only its own
 * processes, so the coverage of worker threads and child processes is taken from the reports that V8 writes for them.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { addNative, readNative, type Native } from './coverage/native.ts'
import { reasons } from './coverage/reasons.ts'
import { sumOf, type FileCoverage, type Sums } from './coverage/sums.ts'

const root = join(import.meta.dirname, '..')
const leastInAll = 95
const leastInFile = 80

/** Options of vitest, as which files to run. */
const more = process.argv.slice(2)

/** Runs the tests; those named, or all. */
function runTests(folder: string): boolean {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(
    process.execPath,
    [
      vitest,
      'run',
      '--coverage',
      '--testTimeout=600000',
      `--coverage.reportsDirectory=${join(folder, 'report')}`,
      ...more,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, DRAGOMAN_COVERAGE: join(folder, 'native') },
    },
  )
  return status === 0
}

const percent = (covered: number, all: number) => (all === 0 ? 100 : (100 * covered) / all)

function printFile(file: string, { lines, branches }: Sums): boolean {
  const reason = reasons[file]
  const isLow = percent(...lines) < leastInFile
  if (!isLow && reason === undefined) return true
  const numbers = [lines, branches].map(each => `${percent(...each).toFixed(0)} %`).join(' of lines, ')
  console.log(
    `${isLow && reason === undefined ? '✗' : ' '} ${file}: ${numbers} of branches. ${reason ?? 'No reason given.'}`,
  )
  return !isLow || reason !== undefined
}

const folder = mkdtempSync(join(tmpdir(), 'dragoman-coverage-'))
try {
  const arePassed = runTests(folder)
  const report = join(folder, 'report/coverage-final.json')
  if (!existsSync(report)) throw new Error('The tests left no report.')
  const files = JSON.parse(readFileSync(report, 'utf8')) as Readonly<Record<string, FileCoverage>>
  const native: Native = readNative(globSync(join(folder, 'native/*.json')), join(root, 'src'))
  const all = { lines: [0, 0], branches: [0, 0] } as const satisfies Record<string, [number, number]>
  let isEnough = arePassed
  for (const [path, coverage] of Object.entries(files).toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    if (!path.startsWith(join(root, 'src/'))) continue
    addNative(coverage, native.get(path) ?? [], readFileSync(path, 'utf8'))
    const sums = sumOf(coverage)
    for (const name of ['lines', 'branches'] as const)
      for (const at of [0, 1] as const) all[name][at] += sums[name][at]
    isEnough = printFile(relative(root, path), sums) && isEnough
  }
  const inAll = percent(...all.lines)
  console.log(`Lines: ${inAll.toFixed(1)} % (${all.lines.join(' of ')})`)
  console.log(`Branches: ${percent(...all.branches).toFixed(1)} % (${all.branches.join(' of ')})`)
  if (!isEnough || inAll < leastInAll) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
