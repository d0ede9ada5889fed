import { build } from 'esbuild'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Bench } from './harness/bench.ts'

const root = join(import.meta.dirname, '..')

/** How much a page has to load for our client. */
export const clientSize: Bench = {
  name: 'client-size',
  what: 'dragoman/client, minified, gzip',
  beside: 'useChat of the AI SDK v7 and v6',
  how: 'Bundled by esbuild for browsers, without React. The ratio is our size divided by the limit of 15.1 kB.',
  seconds: 0,
  async run() {
    const own = await sizeOf(`export * from './src/client/index.ts'`)
    const v7 = await sizeOf(`export { useChat } from 'ai-react-7'`)
    const v6 = await sizeOf(`export { useChat } from 'ai-react-6'`)
    const text = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
    return [
      {
        ours: text(own),
        peer: `${text(v7)} (v7), ${text(v6)} (v6)`,
        ratio: own / 15_100,
        goal: { kind: 'at-most', ratio: 1 },
        note: 'the ratio is to the limit of 15.1 kB',
      },
    ]
  },
}

async function sizeOf(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    external: ['react'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length
}
