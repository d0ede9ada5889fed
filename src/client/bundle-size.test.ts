import { build } from 'esbuild'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'

/** The client as a page would load it. */
async function bundle(): Promise<{ readonly bytes: number; readonly inputs: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${import.meta.dirname}/index.ts`],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const bytes = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length
  return { bytes, inputs: Object.keys(metafile.inputs) }
}

describe('dragoman/client', () => {
  it('[C1] has at most 15.1 kB for a page, and no schema', async () => {
    const { bytes, inputs } = await bundle()
    expect(bytes).toBeLessThan(15_100)
    expect(inputs.filter(input => input.includes('node_modules'))).toEqual([])
    expect(inputs.filter(input => /api\/(requests|replies)|command\.ts/.test(input))).toEqual([])
  })
})
