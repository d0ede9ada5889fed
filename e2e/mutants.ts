/**
 * Plants one defect at a time in a copy of the tree and runs the tests that should notice it.
 * `--short` takes every fourteenth, `--only ID` one, and `--full` runs all of `npm test` where the named tests see nothing.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { mutants } from './mutants/list.ts'
import type { Mutant } from './mutants/mutant.ts'

const root = join(import.meta.dirname, '..')
const least = 95
/** How long a test may take, with a defect and without: one that hangs counts as caught only because it passed in this time before. */
const testMs = 60_000
const runMs = 10 * 60_000

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
  },
})

/** All files that git knows or would add, beside the same dependencies. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'dragoman-mutants-'))
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  for (const file of listed.stdout.split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue
    mkdirSync(join(copy, dirname(file)), { recursive: true })
    cpSync(join(root, file), join(copy, file), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Whether some tests pass; without files, all of them. */
async function pass(copy: string, tests: readonly string[], name?: string): Promise<boolean> {
  const only = name === undefined ? [] : ['-t', name]
  const args = ['run', ...tests, ...only, '--bail=1', `--testTimeout=${testMs}`, `--hookTimeout=${testMs}`]
  const vitest = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    // With a seed, properties draw their full number of cases.
    env: { ...process.env, DRAGOMAN_SEED: '1' },
  })
  let output = ''
  for (const stream of [vitest.stdout, vitest.stderr]) stream.on('data', piece => (output += String(piece)))
  const late = setTimeout(() => process.kill(-(vitest.pid ?? 0), 'SIGKILL'), runMs)
  const code = await new Promise(resolve => vitest.once('close', resolve))
  clearTimeout(late)
  if (/No test files found|Startup Error/.test(output)) throw new Error(output)
  return code === 0
}

type Outcome = 'caught' | 'survived' | 'stale'

async function plant(copy: string, { file, from, to, tests, name }: Mutant): Promise<Outcome> {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  if (source.split(from).length !== 2) return 'stale'
  try {
    writeFileSync(
      path,
      source.replace(from, () => to),
    )
    const isUnseen = (await pass(copy, tests, name)) && (!values.full || (await pass(copy, [])))
    return isUnseen ? 'survived' : 'caught'
  } finally {
    writeFileSync(path, source)
  }
}

function chosen(): readonly Mutant[] {
  if (values.only !== undefined) return mutants.filter(({ id }) => values.only?.includes(id))
  return values.short ? mutants.filter((_, index) => index % 14 === 0) : mutants
}

const began = Date.now()
const copy = copyTree()
try {
  const all = chosen()
  if (all.length === 0) throw new Error('There is no mutant of that name.')
  for (const [name, some] of Map.groupBy(all, mutant => mutant.name)) {
    const tests = [...new Set(some.flatMap(mutant => mutant.tests))]
    if (!(await pass(copy, tests, name)))
      throw new Error(`Without any mutant these tests fail: ${tests.join(', ')}`)
  }
  console.log(`The tests pass without a mutant (${Math.round((Date.now() - began) / 1000)} s)`)
  const outcomes: Outcome[] = []
  for (const mutant of all) {
    const outcome = await plant(copy, mutant)
    outcomes.push(outcome)
    console.log(`${outcome === 'caught' ? '✓' : '✗'} ${outcome} ${mutant.id} ${mutant.file}: ${mutant.wrong}`)
  }
  const caught = outcomes.filter(outcome => outcome === 'caught').length
  const percent = (100 * caught) / all.length
  const seconds = Math.round((Date.now() - began) / 1000)
  console.log(`${caught} of ${all.length} mutants caught: ${percent.toFixed(1)} % (${seconds} s)`)
  if (percent < least || outcomes.includes('stale')) process.exitCode = 1
} finally {
  rmSync(copy, { recursive: true })
}
