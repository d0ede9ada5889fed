import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Collects the packages whose code gets into the app, and writes their licences. */
export interface Notices {
  /** Sees what one build puts into its files. */
  readonly plugin: Plugin
  text(): string
}

/** A package in the app, with its licence. */
interface Used {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly text: string
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** Begins a collection. All builds of the app report to it. */
export function collectNotices(): Notices {
  const files = new Set<string>()
  return {
    plugin: {
      name: 'third-party-notices',
      generateBundle(_, bundle) {
        for (const output of Object.values(bundle))
          if (output.type === 'chunk') for (const id of Object.keys(output.modules)) files.add(id)
      },
    },
    text: () => noticesText(packagesOf([...files])),
  }
}

/** The packages that files belong to, and those that were built into these files earlier, each once. */
export function packagesOf(files: readonly string[]): readonly Used[] {
  const used = new Map<string, Used>()
  const add = (found: Used) => void used.set(`${found.name}@${found.version}`, found)
  for (const file of files) {
    const [, folder] = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? []
    const path = file.split('?')[0] ?? ''
    if (folder === undefined || !existsSync(path)) continue
    add(installed(folder))
    for (const [, name = '', version = ''] of readFileSync(path, 'utf8').matchAll(within))
      add(builtIn(name.replace('+', '/'), version))
  }
  return [...used.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** How a file that another project built from several packages names them. */
const within = /node_modules\/\.pnpm\/(@?[^/@]+)@([\w.-]+?)(?:_[^/]*)?\//g

const modules = join(import.meta.dirname, '../node_modules')
const kept = join(import.meta.dirname, 'notices')

function installed(folder: string): Used {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const { name, version, license: licence = 'see below' } = manifest
  const named = readdirSync(folder).filter(file => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = named.toSorted().map(file => readFileSync(join(folder, file), 'utf8').trim())
  return { name, version, licence, text: texts.join('\n\n') || textKept(name) }
}

/** A package that is only inside of another: if it is not installed, its licence is kept in this repository. */
function builtIn(name: string, version: string): Used {
  const folder = join(modules, name)
  if (existsSync(folder)) return { ...installed(folder), version }
  return { name, version, licence: 'see below', text: textKept(name) }
}

function textKept(name: string): string {
  const path = join(kept, `${name.replace('/', '+')}.txt`)
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  throw new Error(`The app contains ${name}, and its licence is unknown. Put the text into ${path}.`)
}

const remarks: Readonly<Record<string, string>> = {
  elkjs: 'Dragoman uses it unchanged, under the EPL-2.0.',
  '@shikijs/langs':
    'The grammars come from many projects. Their licences: https://github.com/shikijs/textmate-grammars-themes/blob/main/packages/tm-grammars/NOTICE',
  '@shikijs/themes':
    'The themes come from many projects. Their licences: https://github.com/shikijs/textmate-grammars-themes/blob/main/packages/tm-themes/NOTICE',
}

function noticesText(packages: readonly Used[]): string {
  const sections = packages.map(({ name, version, licence, text }) => {
    const source = `https://www.npmjs.com/package/${name}/v/${version}`
    const lines = [`${name} ${version}`, `Licence: ${licence}`, `Source: ${source}`, remarks[name] ?? '']
    return `${lines.filter(Boolean).join('\n')}\n\n${text}`
  })
  const rule = `\n\n${'-'.repeat(80)}\n\n`
  return (
    [`The web app of Dragoman contains these ${packages.length} packages.`, ...sections].join(rule) + '\n'
  )
}
