/** Runs every test file that draws random cases, several times with other seeds: `npm test` always draws the same. */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '2' } } })

const files = globSync(['{src,e2e,bench}/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}'], { cwd: root }).filter(
  file => /'fast-check'|journal\.contract\.ts'/.test(readFileSync(join(root, file), 'utf8')),
)

for (let round = 1; round <= Number(values.rounds); round += 1) {
  const seed = String(Math.floor(Math.random() * 2 ** 31))
  console.log(`Round ${round} of ${values.rounds}, DRAGOMAN_SEED=${seed}, ${files.length} files`)
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files],
    { cwd: root, stdio: 'inherit', env: { ...process.env, DRAGOMAN_SEED: seed } },
  )
  if (status !== 0) process.exit(1)
}
