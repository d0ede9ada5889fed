import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ours, root, type Ended, type Project } from './project.ts'

/** Every door of the package, by the name that a program imports. */
export const doors: readonly string[] = Object.keys(ours.exports)
  .filter(door => ours.exports[door]?.endsWith('.js') === true)
  .flatMap(door =>
    door.includes('*')
      ? globSync('src/agents/*/index.ts', { cwd: root, exclude: ['src/agents/kit/*'] }).map(
          file => `dragoman/agents/${file.split('/')[2]}`,
        )
      : [door.replace('.', 'dragoman')],
  )

/** The doors for web pages. */
const pageDoors = doors.filter(door => /^dragoman($|\/client|\/projections|\/react)/.test(door))

const strict = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  noEmit: true,
}

/** What programs and pages have, by the name of the setting. */
const forNode = { lib: ['es2024', 'esnext.disposable'], types: ['node'] }
const forPages = { lib: ['DOM', 'ES2023'], types: [] }
const kinds = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler', target: 'es2024' },
}

/** Two versions of the compiler. Each checks the declarations of the package, too. */
interface Compilers {
  readonly [version: string]: string
}

/** Checks that the types of every door hold, in programs and in pages. */
export async function checkTypes(project: Project, older: string): Promise<void> {
  const compilers: Compilers = {
    '5.9': join(older, 'typescript/bin/tsc'),
    '7': join(root, 'node_modules/typescript/bin/tsc'),
  }
  writeFileSync(join(project.folder, 'doors.ts'), importing(doors))
  writeFileSync(join(project.folder, 'page-doors.ts'), importing(pageDoors))
  const files = globSync('*.ts', { cwd: project.folder, exclude: ['page.ts', 'page-doors.ts'] })
  for (const [version, compiler] of Object.entries(compilers))
    for (const [kind, module] of Object.entries(kinds)) {
      const check = (of: readonly string[], options: object) =>
        compile(project, compiler, of, { ...module, ...options })
      await project.checkRun(
        `TypeScript ${version}, ${kind}: all ${doors.length} doors, the adapter and the store type-check`,
        check(files, forNode),
      )
      await project.checkRun(
        `TypeScript ${version}, ${kind}: ${pageDoors.length} doors type-check in a page without the types of Node`,
        check(['page.ts', 'page-doors.ts'], forPages),
      )
    }
}

const importing = (names: readonly string[]) =>
  names.map((name, index) => `export * as door${index} from '${name}'\n`).join('')

function compile(
  project: Project,
  compiler: string,
  files: readonly string[],
  options: object,
): Promise<Ended> {
  const config = join(project.folder, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...strict, ...options }, files }))
  return project.node(compiler, '-p', config)
}

/** What two tools that know the mistakes of packages say. The package is for ESM only, on purpose. */
export async function checkWithTools(
  { node, check, checkRun, tarball }: Project,
  tools: string,
): Promise<void> {
  const lint = await checkRun('publint', node(join(tools, 'publint/src/cli.js'), '--strict', tarball))
  check(lint.out.includes('All good!'), 'publint has no suggestion')
  if (!lint.out.includes('All good!')) console.log(lint.out)
  const attw = join(tools, '@arethetypeswrong/cli/dist/index.js')
  await checkRun('attw finds nothing', node(attw, '--profile', 'esm-only', tarball))
}
