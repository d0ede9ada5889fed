import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LiveAgent } from './live-agent.ts'

const root = join(import.meta.dirname, '../clis')
const run = promisify(execFile)
const patience = 10 * 60_000

/** The folder of one release of an agent: the newest has the agent's name, others also their version. */
const folderOf = ({ name, cli, isOlder = false }: LiveAgent): string =>
  join(root, isOlder ? `${name}-${cli.version}` : name)

/** The folder with the programs of an agent, apart from other installations. */
export const programsOf = (agent: LiveAgent): string => join(folderOf(agent), 'node_modules/.bin')

/** The same agent in its older release. */
export const olderOf = (agent: LiveAgent): LiveAgent => ({
  ...agent,
  cli: { ...agent.cli, version: agent.cli.older },
  cannot: { ...agent.cannot, ...agent.olderCannot },
  isOlder: true,
})

/** Installs the tested release of an agent, unless it is there. Gives what went wrong, or null. */
export async function installCli(agent: LiveAgent): Promise<string | null> {
  if (isThere(agent)) return null
  const { cli } = agent
  const folder = folderOf(agent)
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
  const { cli } = agent
  const manifest = join(folderOf(agent), 'node_modules', cli.package, 'package.json')
  if (!existsSync(manifest) || !existsSync(join(programsOf(agent), cli.program))) return false
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }
  return version === cli.version
}
