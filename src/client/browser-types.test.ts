import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../..')
const tsc = join(root, 'node_modules/typescript/bin/tsc')

/** The package's declarations as they are published, beside what they import. */
async function declare(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-browser-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'node_modules'))
  for (const name of ['zod', '@types/react', 'react', 'csstype'])
    await link(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  const source = { extends: join(root, 'src/client/tsconfig.json'), include: [], references: [] }
  const files = ['client', 'client/context', 'client/work-log', 'client/replay', 'client/usage', 'react']
  await writeConfig(folder, 'declare.json', {
    ...source,
    files: files.map(each => join(root, 'src', each, 'index.ts')),
    compilerOptions: {
      composite: false,
      declarationMap: false,
      emitDeclarationOnly: true,
      jsx: 'react-jsx',
      rootDir: join(root, 'src'),
      outDir: join(folder, 'dragoman'),
    },
  })
  expect(await compile(folder, 'declare.json')).toBe('')
  return folder
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await symlink(target, path)
}

const writeConfig = (folder: string, name: string, config: object) =>
  writeFile(join(folder, name), JSON.stringify(config))

/** What the compiler complains about; nothing when all is well. */
const compile = (folder: string, config: string) =>
  new Promise<string>(resolve => {
    execFile(process.execPath, [tsc, '-p', config], { cwd: folder }, (_error, out, err) => resolve(out + err))
  })

it('[C1] dragoman/client and dragoman/react type-check in a browser project without @types/node', async () => {
  const folder = await declare()
  await writeFile(
    join(folder, 'page.ts'),
    `import { createClient, type Client } from './dragoman/client/index.js'
     import './dragoman/client/context/index.js'
     import './dragoman/client/work-log/index.js'
     import './dragoman/client/replay/index.js'
     import './dragoman/client/usage/index.js'
     import './dragoman/react/index.js'
     const client: Client = createClient()
     client.running.subscribe(() => undefined)
     client.close()
     // @ts-expect-error There is no Node here.
     process.exit()`,
  )
  await writeConfig(folder, 'tsconfig.json', {
    files: ['page.ts'],
    compilerOptions: {
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
    },
  })
  expect(await compile(folder, 'tsconfig.json')).toBe('')
})
