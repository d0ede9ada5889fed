import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API, SymbolFlags, type Checker, type Type } from 'typescript/unstable/sync'

/** A TypeScript type whose fields are listed. With `by`, it is a union of objects that differ in this field. */
export interface TableSource {
  readonly type: string
  readonly by?: string
  /** The field whose object is listed instead of the object itself. */
  readonly in?: string
  /** The kinds to list; otherwise all. */
  readonly kinds?: string
  /** What is put before each kind in the table. */
  readonly prefix?: string
}

/** The fields of an object, sorted and between blanks; for a union, by kind. */
export type Table = string | Readonly<Record<string, string>>

/** Lists the fields of types. The imports are found from the folder, as a program there would find them. */
export function readTypes(
  folder: string,
  imports: string,
  tables: Readonly<Record<string, TableSource>>,
): Readonly<Record<string, Table>> {
  const declared = Object.entries(tables).map(([name, { type }]) => `export type ${name} = ${type}`)
  writeFileSync(join(folder, 'types.ts'), `${imports}\n${declared.join('\n')}\n`)
  const config = join(folder, 'tsconfig.json')
  const compilerOptions = {
    module: 'esnext',
    moduleResolution: 'bundler',
    noEmit: true,
    strict: true,
    types: [],
    allowImportingTsExtensions: true,
  }
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ['types.ts'] }))
  const api = new API({ cwd: folder })
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    const file = project?.program.getSourceFile(join(folder, 'types.ts'))
    if (project === undefined || file === undefined) throw new Error(`TypeScript did not load ${folder}.`)
    return Object.fromEntries(
      Object.entries(tables).map(([name, source]) => {
        const symbol = project.checker.resolveName(name, SymbolFlags.TypeAlias, file)
        if (symbol === undefined) throw new Error(`The type ${name} is missing.`)
        return [name, tableOf(project.checker, project.checker.getDeclaredTypeOfSymbol(symbol), source, name)]
      }),
    )
  } finally {
    api.close()
  }
}

function tableOf(checker: Checker, type: Type, source: TableSource, name: string): Table {
  const found = new Map<string, Set<string>>()
  for (const member of membersOf(type)) {
    const kinds = source.by === undefined ? [''] : literalsIn(typeOf(checker, member, source.by))
    const listed = source.in === undefined ? [member] : membersOf(typeOf(checker, member, source.in))
    const fields = listed.flatMap(each => fieldsOf(checker, each))
    for (const kind of kinds) found.set(kind, new Set([...(found.get(kind) ?? []), ...fields]))
  }
  const kinds = source.kinds?.split(/\s+/) ?? [...found.keys()]
  const lists = kinds.toSorted().map(kind => {
    const fields = found.get(kind)
    if (fields === undefined || fields.size === 0)
      throw new Error(`The type ${name} has no fields for "${kind}".`)
    return [`${source.prefix ?? ''}${kind}`, [...fields].toSorted().join(' ')] as const
  })
  if (lists.length === 0) throw new Error(`The type ${name} has no kinds.`)
  return source.by === undefined ? (lists[0]?.[1] ?? '') : Object.fromEntries(lists)
}

/** The names of the fields that JSON can have; symbols are named `__@…`. */
const fieldsOf = (checker: Checker, type: Type): readonly string[] =>
  checker.getPropertiesOfType(type).flatMap(({ name }) => (name.startsWith('__@') ? [] : [name]))

function typeOf(checker: Checker, type: Type, field: string): Type | undefined {
  const symbol = checker.getPropertiesOfType(type).find(({ name }) => name === field)
  return symbol === undefined ? undefined : checker.getTypeOfSymbol(symbol)
}

const membersOf = (type: Type | undefined): readonly Type[] =>
  type === undefined ? [] : type.isUnionType() ? (type.getTypes() ?? []) : [type]

const literalsIn = (type: Type | undefined): readonly string[] =>
  membersOf(type).flatMap(each => (each.isStringLiteralType() ? [each.value] : []))
