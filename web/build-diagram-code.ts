import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

/** The path of a file of the app, and its content. */
interface CodeFile {
  readonly path: string
  readonly code: string
}

/** Builds the code that draws diagrams into one file: the frame that runs it can load nothing. */
export async function buildDiagramCode(plugin: Plugin): Promise<CodeFile> {
  const built = (await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [plugin],
    build: {
      write: false,
      target: 'es2024',
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      // All kinds of diagrams in one file; it is loaded for the first diagram.
      chunkSizeWarningLimit: 8000,
      rolldownOptions: {
        input: join(import.meta.dirname, 'src/markdown/diagram/main.ts'),
        output: { format: 'iife', codeSplitting: false },
        // The preload helper needs its own address; this file has no parts to preload.
        transform: { define: { 'import.meta': '{}' } },
      },
    },
  })) as Rolldown.RolldownOutput
  const [{ code }] = built.output
  const mark = createHash('sha256').update(code).digest('hex').slice(0, 12)
  return { path: `/assets/diagram-${mark}.js`, code }
}
