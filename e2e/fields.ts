import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { installCli, programsOf } from './agents/live/clis.ts'
import { codex } from './agents/live/codex.ts'
import { generatedFile, withExtras } from './fields/generated-file.ts'
import { readTypes } from './fields/read-types.ts'
import { sources, type FieldSource } from './fields/sources.ts'

/*
 * Writes `src/agents/<agent>/fields.generated.ts` from the types that the agents publish: npm run fields -- [AGENT …]
 * Installs the packages beside the programs of `npm run test:agents`.
 */

const root = join(import.meta.dirname, 'agents/clis/fields')
const agents = join(import.meta.dirname, '../src/agents')

/** Unpacks a package without what it depends on: only its types are read. */
function unpack(folder: string, name: string, version: string): void {
  const target = join(folder, 'node_modules', name)
  const manifest = join(target, 'package.json')
  if (existsSync(manifest)) {
    const found = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }
    if (found.version === version) return
    rmSync(target, { recursive: true })
  }
  mkdirSync(target, { recursive: true })
  const packed = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], {
    cwd: folder,
    encoding: 'utf8',
  })
  execFileSync('tar', ['-xzf', basename(packed.trim()), '--strip-components=1', '-C', target], {
    cwd: folder,
  })
}

async function generateCodexTypes(folder: string): Promise<void> {
  const missing = await installCli(codex)
  if (missing !== null) throw new Error(missing)
  const out = join(folder, 'generated')
  rmSync(out, { recursive: true, force: true })
  execFileSync(join(programsOf(codex), 'codex'), [
    'app-server',
    'generate-ts',
    '--experimental',
    '--out',
    out,
  ])
}

async function generate(agent: string, source: FieldSource): Promise<void> {
  const folder = join(root, agent)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  for (const [name, version] of Object.entries(source.packages)) unpack(folder, name, version)
  if (agent === 'codex') await generateCodexTypes(folder)
  const tables = withExtras(readTypes(folder, source.imports, source.tables), source.extras)
  const file = join(agents, agent, 'fields.generated.ts')
  writeFileSync(file, generatedFile(source.packages, tables))
  execFileSync('npx', ['oxfmt', file])
  console.log(`${agent}: ${Object.keys(tables).length} tables`)
}

const wanted = process.argv.slice(2)
for (const [agent, source] of Object.entries(sources))
  if (wanted.length === 0 || wanted.includes(agent)) await generate(agent, source)
