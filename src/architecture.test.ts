import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const source = import.meta.dirname

/** Which folders each folder may import; the compiler enforces the same by `references`. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  agents: ['protocol'],
  journal: ['protocol'],
  projections: ['protocol'],
  context: ['protocol', 'projections'],
  catalogue: ['protocol', 'projections', 'journal'],
  search: ['protocol', 'projections', 'journal'],
  sessions: ['protocol', 'projections', 'context', 'journal', 'catalogue', 'agents'],
  prices: ['protocol', 'catalogue'],
  store: ['protocol', 'projections', 'journal', 'catalogue', 'search'],
  server: ['protocol', 'projections', 'journal', 'catalogue', 'prices', 'search', 'sessions', 'agents'],
  client: ['protocol', 'projections'],
  react: ['protocol', 'projections', 'client'],
  testing: ['protocol', 'agents'],
  cli: [
    'protocol',
    'projections',
    'journal',
    'catalogue',
    'search',
    'prices',
    'sessions',
    'agents',
    'store',
    'server',
    'client',
  ],
}

/** Of some folders only the contracts may be seen, never an implementation. */
const contracts: Readonly<Record<string, readonly RegExp[]>> = {
  catalogue: [/^journal\/(journal|sqlite\/tables)\.ts$/, /^(protocol|projections)\//],
  search: [/^journal\/journal\.ts$/, /^(protocol|projections)\//],
  sessions: [
    /^agents\/(agent|importer)\.ts$/,
    /^journal\/(journal|follow|ownership)\.ts$/,
    /^catalogue\/[^/]+\.ts$/,
    /^(protocol|projections|context)\//,
  ],
  server: [
    /^agents\/agent\.ts$/,
    /^journal\/(journal|follow|ownership)\.ts$/,
    /^catalogue\/[^/]+\.ts$/,
    /^search\/search\.ts$/,
    /^(protocol|projections|prices|sessions)\//,
  ],
}

const isProduct = (file: string) =>
  /\.tsx?$/.test(file) &&
  !/\.(test|contract|arbitrary|fixture)\.tsx?$/.test(file) &&
  !file.includes('recordings')

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(isProduct)

const importsOf = (file: string) => {
  const text = readFileSync(join(source, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  )
}

/** The ways that lead from a file back to itself; each is given once. */
function cyclesIn(all: readonly string[]): readonly string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file)
    if (at !== -1) cycles.push([...path.slice(at), file].join(' → '))
    if (at !== -1 || done.has(file) || !known.has(file)) return
    for (const target of importsOf(file)) visit(target, [...path, file])
    done.add(file)
  }
  const known = new Set(all)
  for (const file of all) visit(file, [])
  return cycles
}

/** All paths that a path with alternatives in braces names. */
function spelledOut(path: string): readonly string[] {
  const [, before, choices, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? []
  return choices === undefined
    ? [path]
    : choices.split(',').flatMap(choice => spelledOut(`${before}${choice}${after}`))
}

describe('the arrows between folders', () => {
  for (const [folder, allowed] of Object.entries(arrows)) {
    const own = files.filter(file => file.startsWith(`${folder}/`))

    it(`[A1] ${folder} imports only ${allowed.join(', ') || 'itself'}`, () => {
      const wrong = own.flatMap(file =>
        importsOf(file)
          .filter(target => ![folder, ...allowed].includes(target.split('/')[0] ?? ''))
          .map(target => `${file} → ${target}`),
      )
      expect(wrong).toEqual([])
    })

    it(`[A1] ${folder} says the same to the compiler`, () => {
      const { references } = JSON.parse(readFileSync(join(source, folder, 'tsconfig.json'), 'utf8')) as {
        references: { path: string }[]
      }
      expect(references.map(({ path }) => relative('..', path)).toSorted()).toEqual([...allowed].toSorted())
    })
  }

  for (const [folder, patterns] of Object.entries(contracts))
    it(`[A1] ${folder} sees of agents and journal only the contracts`, () => {
      const wrong = files
        .filter(file => file.startsWith(`${folder}/`))
        .flatMap(importsOf)
        .filter(target => !target.startsWith(`${folder}/`) && !patterns.some(pattern => pattern.test(target)))
      expect(wrong).toEqual([])
    })

  it('[A1] only the catalogue on SQLite sees the tables of the journal on SQLite', () => {
    const users = files.filter(
      file => !file.startsWith('journal/sqlite/') && importsOf(file).includes('journal/sqlite/tables.ts'),
    )
    expect(users).not.toEqual([])
    expect(users.filter(file => !file.startsWith('catalogue/sqlite/'))).toEqual([])
  })

  it('[A1] the contract for agents imports only the protocol and itself, without a cycle', () => {
    const contract = files.filter(file => /^agents\/[^/]+\.ts$/.test(file) && file !== 'agents/index.ts')
    expect(contract).toContain('agents/agent.ts')
    expect(contract).toContain('agents/importer.ts')
    const beyond = (file: string, path: readonly string[] = []): readonly string[] =>
      importsOf(file)
        .filter(target => !target.startsWith('protocol/'))
        .flatMap(target =>
          contract.includes(target) && ![...path, file].includes(target)
            ? beyond(target, [...path, file])
            : [[...path, file, target].join(' → ')],
        )
    expect(contract.flatMap(file => beyond(file))).toEqual([])
  })

  it('[A1] [T7] what reads sessions cannot reach what owns them', () => {
    const views = files.filter(file => file.startsWith('sessions/view/'))
    const wrong = views.flatMap(file =>
      importsOf(file)
        .filter(target => /^sessions\/(own|agent|commands|import)\//.test(target))
        .map(target => `${file} → ${target}`),
    )
    expect(views.length).toBeGreaterThan(5)
    expect(wrong).toEqual([])
  })

  it('[A1] no file imports itself through others, types included', () => {
    expect(cyclesIn(files)).toEqual([])
  })

  it('[A1] no agent imports another, and code outside an agent’s folder imports only its index and its description', () => {
    const wrong = files.flatMap(file =>
      importsOf(file).flatMap(target => {
        const [top, agent, inside] = target.split('/')
        const isForeign =
          top === 'agents' && inside !== undefined && agent !== 'kit' && !file.startsWith(`agents/${agent}/`)
        return isForeign && inside !== 'index.ts' && inside !== 'about.ts' ? [`${file} → ${target}`] : []
      }),
    )
    expect(wrong).toEqual([])
  })

  it('[A2] no clock, randomness or I/O where only pure functions live', () => {
    const pure = files.filter(
      file => /^(protocol|projections|context)\//.test(file) || file.endsWith('/translate.ts'),
    )
    const impure = pure.filter(file =>
      /Date\.now|new Date\(\)|Math\.random|randomUUID|getRandomValues|performance\.|from 'node:|process\./.test(
        readFileSync(join(source, file), 'utf8'),
      ),
    )
    expect(pure.length).toBeGreaterThan(10)
    expect(impure).toEqual([])
  })

  it('[A1] every path that the map names exists', () => {
    const root = join(source, '..')
    const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const all = ['src', 'web', 'e2e', 'bench', 'docs', 'proxies'].flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        path => `/${folder}/${path}`,
      ),
    )
    const isThere = (path: string) =>
      all.some(each => ['', '.ts', '.tsx'].some(end => each.endsWith(`/${path}${end}`)))
    const named = [...page.matchAll(/`([\w@.-]+\/[\w@./{},-]*[\w}])`/g)].flatMap(([, path = '']) =>
      spelledOut(path),
    )
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter(path => !path.startsWith('dragoman/') && !isThere(path))).toEqual([])
  })

  it('[A1] every folder is on the map', () => {
    const folders = readdirSync(source, { withFileTypes: true }).filter(entry => entry.isDirectory())
    expect(folders.map(({ name }) => name).toSorted()).toEqual(Object.keys(arrows).toSorted())
  })
})
