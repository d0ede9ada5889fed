import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LiveAgent } from './live-agent.ts'

const root = join(import.meta.dirname, '../clis')
const run = promisify(execFile)
const patience = 10 * 60_000

/** Where the programs of an agent are: a folder of its own, which no other install knows. */
export const programsOf = ({ name }: LiveAgent): string => join(root, name, 'node_modules/.bin')

/** Installs the release of an agent that is tried, unless it is there. Says what went wrong; null when nothing did. */
export async function installCli(agent: LiveAgent): Promise<string | null> {
  if (isThere(agent)) return null
  const { name, cli } = agent
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  const dependencies = { [cli.package]: cli.version }
  // Some fetch or choose their program in a script, which npm runs only for packages that are named.
  const manifest = { private: true, dependencies, allowScripts: { [cli.package]: true } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], {
      cwd: folder,
      timeout: patience,
    })
  } catch (error) {
    return `${cli.package} ${cli.version} could not be installed: ${(error as Error).message}`
  }
  return isThere(agent) ? null : `${cli.package} ${cli.version} has no program "${cli.program}".`
}

function isThere(agent: LiveAgent): boolean {
  const { cli, name } = agent
  const manifest = join(root, name, 'node_modules', cli.package, 'package.json')
  if (!existsSync(manifest) || !existsSync(join(programsOf(agent), cli.program))) return false
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }
  return version === cli.version
}
