import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'

/** A file of the app by its path, and what is in it. */
interface CodeFile {
  readonly path: string
  readonly code: string
}

/** Builds the code that draws diagrams into one file: the frame that runs it can load nothing. */
export async function buildDiagramCode(): Promise<CodeFile> {
  const built = (await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2024',
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      // All kinds of diagrams in one file; it is loaded when somebody looks at the first.
      chunkSizeWarningLimit: 8000,
      rolldownOptions: {
        input: join(import.meta.dirname, 'src/markdown/diagram/main.ts'),
        output: { format: 'iife', codeSplitting: false },
        // What loads parts of a page ahead of time asks where it is; there are no parts here.
        transform: { define: { 'import.meta': '{}' } },
      },
    },
  })) as Rolldown.RolldownOutput
  const [{ code }] = built.output
  const mark = createHash('sha256').update(code).digest('hex').slice(0, 12)
  return { path: `/assets/diagram-${mark}.js`, code }
}
