import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Runs one bench under the profiler and prints, thread by thread, where its time went: `npm run bench:profile -- NAME`.
interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

interface Frame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

const [name = 'durable-throughput', seconds = '10'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'dragoman-profile-'))
const runOne = join(import.meta.dirname, 'harness', 'run-one.ts')
const run = spawnSync(process.execPath, ['--cpu-prof', `--cpu-prof-dir=${folder}`, runOne, name, seconds], {
  encoding: 'utf8',
})
if (run.status !== 0) throw new Error(run.stderr)
for (const file of readdirSync(folder)) {
  const shares = sharesOf(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile)
  if ((shares.get('(idle)') ?? 0) > 0.9) continue
  console.log(
    `${[...shares.keys()].some(key => key.includes('open-writer')) ? 'writer thread' : 'main thread'}:`,
  )
  const sorted = [...shares].toSorted(([, one], [, other]) => other - one)
  for (const [place, share] of sorted.slice(0, 16))
    console.log(`${(share * 100).toFixed(1).padStart(6)} % ${place}`)
}
rmSync(folder, { recursive: true, force: true })

/** The share of time spent in each function itself. */
function sharesOf({ nodes, samples, timeDeltas }: Profile): ReadonlyMap<string, number> {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]))
  const total = timeDeltas.reduce((sum, delta) => sum + delta, 0)
  const shares = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const place = places.get(id) ?? ''
    shares.set(place, (shares.get(place) ?? 0) + (timeDeltas[index] ?? 0) / total)
  }
  return shares
}

function placeOf({ functionName, url, lineNumber }: Frame): string {
  if (url === '') return functionName
  return `${functionName || 'anonymous'} (${url.split('/').slice(-2).join('/')}:${lineNumber + 1})`
}
