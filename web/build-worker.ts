import { readFileSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { createHash } from 'node:crypto'
import { build, type Plugin } from 'vite'

interface Built {
  readonly file: string
  readonly css?: readonly string[]
  readonly assets?: readonly string[]
  readonly imports?: readonly string[]
}

/** Builds the service worker beside the app that was built into a folder. It knows the app's files by name. */
export async function buildWorker(outDir: string, plugin: Plugin): Promise<void> {
  const entry = join(import.meta.dirname, 'src/worker/worker.ts')
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [plugin],
    define: { APP_FILES: JSON.stringify(filesOf(outDir)) },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2024',
      rolldownOptions: { input: entry, output: { format: 'iife', entryFileNames: 'worker.js' } },
    },
  })
}

const extra = ['/theme.js', '/icon.svg', '/icon-192.png', '/icon-512.png', '/manifest.webmanifest']

/** The files that the page needs to open, all files, and a hash of those without a hash in their name. */
function filesOf(outDir: string) {
  const built = JSON.parse(readFileSync(join(outDir, 'files.json'), 'utf8')) as Record<string, Built>
  const names = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).map(
    name => `/${name.split(sep).join('/')}`,
  )
  const hash = createHash('sha256')
  for (const path of ['/index.html', ...extra]) hash.update(readFileSync(join(outDir, path)))
  return {
    core: [...extra, ...needed(built, 'index.html')],
    all: names.filter(name => /^\/assets\/.*\.\w+$|^\/diagram\.html$/.test(name)).concat(extra),
    version: hash.digest('hex').slice(0, 16),
  }
}

/** A file and everything it imports, each once. */
function needed(built: Readonly<Record<string, Built>>, name: string): readonly string[] {
  const seen = new Set<string>()
  const visit = (part: string): readonly string[] => {
    const { file, css = [], imports = [] } = built[part] ?? { file: '' }
    if (file === '' || seen.has(part)) return []
    seen.add(part)
    return [file, ...css, ...imports.flatMap(visit)]
  }
  return [...new Set(visit(name))].map(file => `/${file}`)
}
