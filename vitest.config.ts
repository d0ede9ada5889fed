import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { doors } from './web/doors.ts'

const files = globSync(['{src,e2e,bench}/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}'], {
  cwd: import.meta.dirname,
  exclude: ['**/node_modules'],
})

/**
 * What a test file says that changes its process for the files after it (a document, clocks, the environment, what
 * `expect` takes for equal), or that measures the process itself.
 */
const needsItsOwnProcess =
  /@vitest-environment|\bvi\.|globalThis|process\.(on|once|chdir)\(|process\.env\[.+\] = |performance\.now|node:inspector|cpuUsage|memoryUsage|cpu-time\.fixture|snapshot\.fixture/

const { alone = [], together = [] } = Object.groupBy(files, file =>
  needsItsOwnProcess.test(readFileSync(join(import.meta.dirname, file), 'utf8')) ? 'alone' : 'together',
)

/** Where processes and threads of tests keep what they compiled; a journal, with its two threads, opens in two thirds of the time. */
const compiled = join(import.meta.dirname, 'node_modules/.cache/dragoman-tests')

/** Where worker threads and child processes leave what they ran; see `e2e/coverage.ts`. */
const nativeCoverage = process.env['DRAGOMAN_COVERAGE']

export default defineConfig({
  resolve: { alias: [...doors] },
  test: {
    setupFiles: ['./vitest.setup.ts'],
    // Most tests wait for processes and clocks more than they compute.
    maxWorkers: 3,
    env: {
      NODE_COMPILE_CACHE: compiled,
      ...(nativeCoverage !== undefined && { NODE_V8_COVERAGE: nativeCoverage }),
    },
    coverage: {
      include: ['src/**/*.{ts,tsx}'],
      exclude: ['**/*.{test,fixture,contract,arbitrary}.{ts,tsx}', '**/recordings/**', '**/*.d.ts'],
      reporter: ['json'],
      reportOnFailure: true,
    },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // `expect.poll` is how a test waits: soon when the condition holds, and with a deadline that a busy machine keeps.
    expect: { poll: { interval: 10, timeout: 60_000 } },
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      // Starting a process and importing everything again costs more than most of these files do.
      { extends: true, test: { name: 'together', include: together, isolate: false } },
    ],
  },
})
