import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { build } from 'vite'
import { buildDiagramCode } from './build-diagram-code.ts'
import { buildWorker } from './build-worker.ts'
import { collectNotices } from './third-party-notices.ts'

// Builds the web app. With --if-stale only when its sources are others than those it was built from.
const { values } = parseArgs({
  options: { 'if-stale': { type: 'boolean', default: false }, outDir: { type: 'string' } },
})
const project = join(import.meta.dirname, '..')
const outDir = resolve(values.outDir ?? join(project, 'dist', 'web'))
const mark = join(outDir, 'built-from')

/** A fingerprint of everything the app is made of. */
function fingerprint(): string {
  const hash = createHash('sha256')
  for (const room of [
    'web',
    'src/client',
    'src/react',
    'src/protocol',
    'src/projections',
    'package-lock.json',
  ]) {
    const place = join(project, room)
    const names = statSync(place).isDirectory()
      ? readdirSync(place, { recursive: true, encoding: 'utf8' })
      : ['']
    for (const file of names.toSorted().map(name => join(place, name)))
      if (statSync(file).isFile()) hash.update(file.slice(project.length)).update(readFileSync(file))
  }
  return hash.digest('hex')
}

const from = fingerprint()
if (values['if-stale'] && existsSync(mark) && readFileSync(mark, 'utf8') === from) process.exit(0)
if (values['if-stale']) process.stderr.write('Building the web app (only after a change)…\n')
const notices = collectNotices()
const diagram = await buildDiagramCode(notices.plugin)
await build({
  configFile: join(import.meta.dirname, 'vite.config.ts'),
  logLevel: values['if-stale'] ? 'warn' : 'info',
  define: { DIAGRAM_CODE: JSON.stringify(diagram.path) },
  build: { outDir },
  plugins: [notices.plugin],
  worker: { plugins: () => [notices.plugin] },
})
writeFileSync(join(outDir, diagram.path), diagram.code)
await buildWorker(outDir, notices.plugin)
writeFileSync(join(outDir, 'third-party-notices.txt'), notices.text())
writeFileSync(mark, from)
