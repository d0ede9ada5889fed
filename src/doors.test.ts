import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Readonly<Record<string, string | null>>
}
const sources = Object.values(exports)
  .filter((file): file is string => file?.endsWith('.js') === true)
  .map(file => file.replace('./dist/', 'src/').replace(/js$/, 'ts'))

/** What our dependencies and Node itself put there: zod shares its settings, Node loads `fetch` late. */
const others = /^(__zod_global|Symbol\(undici\.)/

/** Imports modules in a separate process, and prints the global state that each import changed. */
const watchImports = `
  const globals = () => Reflect.ownKeys(globalThis).map(name => [String(name), Object.getOwnPropertyDescriptor(globalThis, name)])
  const builtIns = () => [Object, Array, String, Promise, Error].map(({ name, prototype }) => [name, { value: Reflect.ownKeys(prototype).length }])
  const ofProcess = () => [['process.env', { value: JSON.stringify(process.env) }], ['process.on', { value: String(process.eventNames().map(String)) }]]
  const look = () => new Map([...globals(), ...builtIns(), ...ofProcess()])
  const differ = (one, two) => !one || !two || !Object.is(one.value, two.value) || one.get !== two.get
  let before = look()
  for (const file of process.argv.slice(1)) {
    await import(file)
    const after = look()
    for (const name of new Set([...before.keys(), ...after.keys()]))
      if (differ(before.get(name), after.get(name))) console.log(file + ' ' + name)
    before = after
  }`

it('[O1] every door of the package leads to a file', () => {
  for (const source of sources) expect(globSync(source, { cwd: root }), source).not.toEqual([])
})

/** Modules that those behind the doors load only when they are needed. */
const lateModules = globSync('src/**/*.ts', { cwd: root })
  .filter(file => !file.startsWith('src/cli/') && !/\.(test|contract|arbitrary|fixture)\.ts$/.test(file))
  .flatMap(file =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, path = '']) =>
      join(dirname(file), path),
    ),
  )

it('[O1] importing a door changes nothing in the program that imports it', async () => {
  expect(lateModules).toContain('src/agents/model/connect.ts')
  const doors = sources.flatMap(source => globSync(source, { cwd: root }))
  const files = [...doors, ...lateModules].map(file => join(root, file))
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', watchImports, ...files])
  const changes = stdout.split('\n').filter(line => line !== '')
  expect(changes.filter(line => !others.test(line.slice(line.indexOf(' ') + 1)))).toEqual([])
})

/** The names that a door exports, each with whether a doc comment stands before its declaration. */
function namesOf(door: string): readonly (readonly [name: string, isDocumented: boolean])[] {
  const text = readFileSync(join(root, door), 'utf8')
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(
    ([, names = '', from = '']) => {
      const declared = readFileSync(join(root, dirname(door), from), 'utf8')
      return names
        .split(',')
        .map(each => each.trim().replace(/^type /, ''))
        .filter(each => each !== '')
        .map(name => {
          const declaration = new RegExp(`\\*/\\nexport (?:type|interface|const|function|class) ${name}\\b`)
          return [name, declaration.test(declared)] as const
        })
    },
  )
}

it.each([
  ['.', 40],
  ['./projections', 30],
  ['./context', 30],
])('[O1] the door %s exports at most %i names, each with a sentence', (door, most) => {
  const source = exports[door]?.replace('./dist/', 'src/').replace(/js$/, 'ts') ?? ''
  const names = namesOf(source)
  expect(names.length).toBeGreaterThan(10)
  expect(names.length).toBeLessThanOrEqual(most)
  expect(names.filter(([, isDocumented]) => !isDocumented).map(([name]) => name)).toEqual([])
  // Nothing else leaves by this door.
  expect(readFileSync(join(root, source), 'utf8')).not.toMatch(/^export (type )?\*/m)
})
