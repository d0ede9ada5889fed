import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, type Project } from './project.ts'

const mostBytes = 4_000_000
const mostPackages = 20

/** Checks what is in the package: everything it needs, and nothing dead. */
export async function checkTarball(project: Project): Promise<void> {
  const { check, folder, tarball } = project
  const bytes = statSync(tarball).size
  check(bytes <= mostBytes, `the tarball has ${bytes} bytes, at most ${mostBytes}`)
  const installed = globSync('node_modules/{*,@*/*}/package.json', { cwd: folder })
  const { length: types } = installed.filter(path => /@types\/|undici-types|csstype|\/react\//.test(path))
  const packages = installed.length - types
  check(packages <= mostPackages, `it installs ${packages} packages, at most ${mostPackages}`)

  const home = join(folder, 'node_modules/dragoman')
  const files = globSync('**/*', { cwd: home, exclude: ['node_modules'] })
  const dead = files.filter(path =>
    /\.map$|\.test\.|\.fixture\.|recordings|tsbuildinfo|built-from/.test(path),
  )
  check(
    dead.length === 0,
    `no source maps, tests or files of the build are in it ${dead.slice(0, 5).join(' ')}`,
  )
  const stale = files.filter(path => path.endsWith('.js') && !hasSource(path))
  check(stale.length === 0, `each script has a source in this repository ${stale.slice(0, 5).join(' ')}`)
  const broken = files.filter(path => path.endsWith('.md')).flatMap(path => brokenLinks(home, path, files))
  check(broken.length === 0, `each link and picture in its documents is there ${broken.join(' ')}`)
  checkNotices(project, home)
}

/** Whether a compiled file comes from a source that exists. */
function hasSource(path: string): boolean {
  if (!path.startsWith('dist/') || path.startsWith('dist/web/')) return true
  const source = join(root, path.replace(/^dist/, 'src').replace(/\.js$/, ''))
  return globSync(`${source}.{ts,tsx}`).length > 0
}

function brokenLinks(home: string, path: string, files: readonly string[]): readonly string[] {
  const text = readFileSync(join(home, path), 'utf8')
  const targets = [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, target = '']) => target)
  return targets
    .filter(target => !files.includes(join(dirname(path), target)))
    .map(target => `${path}: ${target}`)
}

/** The licences of what the web app contains must come with it. */
function checkNotices({ check }: Project, home: string): void {
  const text = readFileSync(join(home, 'dist/web/third-party-notices.txt'), 'utf8')
  const sections = text.split(`\n${'-'.repeat(80)}\n`).slice(1)
  const bare = sections.filter(section => section.trim().split('\n\n').slice(1).join('').length < 200)
  const [first = ''] = bare.map(section => section.trim().split('\n')[0])
  check(sections.length > 50 && bare.length === 0, `${sections.length} licences for the web app ${first}`)
  check(/^elkjs .*\nLicence: EPL-2\.0/m.test(text), 'the licence of elkjs and the address of its source')
}
