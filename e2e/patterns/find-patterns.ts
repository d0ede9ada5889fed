import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { types } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { parseSync, Visitor, type Program } from 'oxc-parser'

/** A regular expression of the sources, and where it is. */
export interface Pattern {
  readonly source: string
  readonly flags: string
  readonly place: string
}

/** A `new RegExp` whose text is only known at run time. */
export interface OpenPattern {
  readonly code: string
  readonly place: string
}

const root = join(import.meta.dirname, '../..')

/** Finds each regular expression that ships, by parsing the sources. */
export function findPatterns(): {
  readonly patterns: readonly Pattern[]
  readonly open: readonly OpenPattern[]
} {
  const files = globSync(['{src,web,proxies}/**/*.{ts,tsx,mts,js,mjs}'], {
    cwd: root,
    exclude: name => /(^|\/)node_modules$|\.(test|fixture|arbitrary|contract)\.tsx?$/.test(name),
  })
  const found = files.toSorted().map(file => patternsIn(file, readFileSync(join(root, file), 'utf8')))
  return { patterns: found.flatMap(({ patterns }) => patterns), open: found.flatMap(({ open }) => open) }
}

/** Finds the regular expressions of one source text: literals, and what `RegExp` is called with. */
export function patternsIn(file: string, text: string) {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const patterns: Pattern[] = []
  const open: OpenPattern[] = []
  const constants = constantsOf(program, text)
  const placeOf = (start: number) => `${file}:${text.slice(0, start).split('\n').length}`
  const made = (callee: { readonly type: string }, start: number, end: number) => {
    if (callee.type !== 'Identifier' || !('name' in callee) || callee.name !== 'RegExp') return
    const code = text.slice(start, end)
    const expression = evaluated(code, constants)
    if (expression === null) open.push({ code, place: placeOf(start) })
    else patterns.push({ source: expression.source, flags: expression.flags, place: placeOf(start) })
  }
  new Visitor({
    Literal(node) {
      if (!('regex' in node) || node.regex === null) return
      patterns.push({ source: node.regex.pattern, flags: node.regex.flags, place: placeOf(node.start) })
    },
    NewExpression: ({ callee, start, end }) => made(callee, start, end),
    CallExpression: ({ callee, start, end }) => made(callee, start, end),
  }).visit(program)
  return { patterns, open }
}

/** The code of each constant at the top of a module, by name. */
function constantsOf({ body }: Program, text: string): ReadonlyMap<string, string> {
  const constants = new Map<string, string>()
  for (const statement of body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue
    for (const { id, init } of declaration.declarations)
      if (id.type === 'Identifier' && init !== null) constants.set(id.name, text.slice(init.start, init.end))
  }
  return constants
}

/** Evaluates `new RegExp(…)` with the constants of its module alone; null where it needs more. */
function evaluated(code: string, constants: ReadonlyMap<string, string>): RegExp | null {
  const context = createContext()
  for (const [name, value] of constants)
    Object.defineProperty(context, name, { get: (): unknown => runInContext(value, context) })
  try {
    const value: unknown = runInContext(code, context)
    return types.isRegExp(value) ? value : null
  } catch {
    // It needs a parameter, or something of another module: the caller lists it as open.
    return null
  }
}
