import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Bench } from './harness/bench.ts'
import { openStage } from './web/stage.ts'

const limit = 250_000

interface BuiltFile {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
}

/** How much script the page loads before it can be used. */
export const webLoad: Bench = {
  name: 'web-load',
  what: 'script of the first load of the app, gzip',
  beside: `${limit / 1000} kB`,
  how: 'Two sizes are measured: every script that a browser requests until the first page is shown and the network is idle, each compressed at level 9; and the entry with its static imports, from the manifest of the build. The larger one counts.',
  seconds: 0,
  async run() {
    await using stage = await openStage()
    const asked = new Set<string>()
    const page = await stage.room.open('/')
    page.on('request', request => request.resourceType() === 'script' && asked.add(request.url()))
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    let requested = 0
    for (const url of asked) requested += gzipped(await (await page.request.get(url)).body())
    const listed = listedBytes()
    const bytes = Math.max(requested, listed)
    const size = (value: number) => `${(value / 1000).toFixed(1)} kB`
    return [
      {
        ours: `${size(requested)} in ${asked.size} files requested, ${size(listed)} listed`,
        peer: size(limit),
        ratio: bytes / limit,
        goal: { kind: 'at-most', ratio: 1 },
      },
    ]
  },
}

const gzipped = (bytes: Uint8Array) => gzipSync(bytes, { level: 9 }).length

/** The entry of the app and all that it imports at once. */
function listedBytes(): number {
  const folder = process.env['DRAGOMAN_WEB'] ?? join(import.meta.dirname, '../dist/web')
  const files = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as Readonly<
    Record<string, BuiltFile>
  >
  const wanted = new Set<string>()
  const add = (name: string) => {
    if (wanted.has(name)) return
    wanted.add(name)
    files[name]?.imports?.forEach(add)
  }
  add('index.html')
  return [...wanted]
    .map(name => files[name]?.file ?? '')
    .filter(file => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipped(readFileSync(join(folder, file))), 0)
}
