import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Checks } from '../checks.ts'

/** The folder of this repository. */
export const root: string = join(import.meta.dirname, '../..')

/** What `package.json` of this repository says. */
export const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | null>>
}

/** How a program ended, and what it printed. */
export interface Ended {
  readonly code: number
  readonly out: string
}

/** A project that only has the package, and what its types need. */
export interface Project extends Disposable {
  readonly folder: string
  readonly tarball: string
  /** A home and a path: nothing else of this machine's settings. */
  readonly env: Readonly<Record<string, string>>
  readonly check: Checks['check']
  /** Runs a program of the project to its end. */
  readonly run: (program: string, ...args: readonly string[]) => Promise<Ended>
  readonly node: (...args: readonly string[]) => Promise<Ended>
  /** Runs the installed command line. */
  readonly dragoman: (...args: readonly string[]) => Promise<Ended>
  /** Checks that a program ends well, and shows what it printed if not. */
  readonly checkRun: (what: string, ended: Promise<Ended>) => Promise<Ended>
  /** Installs more packages in a folder of the project; returns their folder, or null when it failed. */
  readonly install: (folder: string, ...packages: readonly string[]) => Promise<string | null>
}

/** Makes an empty project. */
export function openProject(check: Checks['check']): Project {
  const top = mkdtempSync(join(tmpdir(), 'dragoman-package-'))
  const folder = join(top, 'project')
  for (const name of ['project', 'home']) mkdirSync(join(top, name))
  const env = {
    PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: join(top, 'home'),
  }
  const runIn = (cwd: string, program: string, ...args: readonly string[]) =>
    new Promise<Ended>(resolve => {
      // npm needs what this machine says about its registry.
      const all = program === 'npm' ? process.env : env
      execFile(program, args, { cwd, env: all, maxBuffer: 1e8 }, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: out + err }),
      )
    })
  const checkRun = async (what: string, ended: Promise<Ended>) => {
    const { code, out } = await ended
    check(code === 0, what)
    if (code !== 0) console.log(out)
    return { code, out }
  }
  return {
    folder,
    env,
    check,
    checkRun,
    get tarball() {
      return join(top, globSync('*.tgz', { cwd: top })[0] ?? '')
    },
    run: (program, ...args) => runIn(folder, program, ...args),
    node: (...args) => runIn(folder, process.execPath, ...args),
    dragoman: (...args) => runIn(folder, join(folder, 'node_modules/.bin/dragoman'), ...args),
    async install(name, ...packages) {
      const place = join(top, name)
      mkdirSync(place, { recursive: true })
      writeFileSync(join(place, 'package.json'), '{"type":"module","private":true}')
      const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages]
      const { code, out } = await checkRun(
        `npm can install ${packages.map(shortened).join(', ')}`,
        runIn(place, 'npm', ...args),
      )
      if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(out))
        console.log('This suite needs the npm registry. Check your network and try again.')
      return code === 0 ? join(place, 'node_modules') : null
    },
    [Symbol.dispose]: () => rmSync(top, { recursive: true, force: true, maxRetries: 3 }),
  }
}

const shortened = (name: string) => (name.endsWith('.tgz') ? 'the tarball' : name)
