import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packedReadme } from './packed-readme.ts'
import { keptReadme, readme, restoreReadme } from './kept-readme.ts'

// Before `npm pack` and `npm publish`: builds everything anew, so that nothing of a deleted source gets into the package, and
// puts the README of the package in place. `restore.ts` puts back that of the repository.
const root = join(import.meta.dirname, '../..')

restoreReadme()
rmSync(join(root, 'dist'), { recursive: true, force: true, maxRetries: 3 })
const build = spawnSync('npm', ['run', '-s', 'build'], { cwd: root, stdio: ['ignore', 2, 2] })
if (build.status !== 0) {
  console.error('The package could not be built. Correct the errors above, then pack again.')
  process.exit(1)
}
mkdirSync(join(keptReadme, '..'), { recursive: true })
copyFileSync(readme, keptReadme)
writeFileSync(readme, packedReadme(readFileSync(readme, 'utf8')))
