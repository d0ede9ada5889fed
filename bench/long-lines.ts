import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer, type ServerProcess } from '../e2e/server-process.ts'
import type { Bench } from './harness/bench.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'

const million = 1_000_000
const mebibyte = 1 << 20
const smallest = 5
const longer = [20, 100]
const rounds = 3
/** A server that held 100 MB in memory would need at least 1.4 times as much. */
const allowed = 1.25

/** How much memory the server needs for a line that is longer than it holds in memory. */
export const longLines: Bench = {
  name: 'long-lines',
  what: 'an agent writes one very long line: peak memory of the server',
  beside: `a line of ${smallest} MB`,
  how: `The peak memory of a server (VmHWM) after an agent wrote one JSON line of the given size, which was saved in full. Each line gets a new server; the median of ${rounds}. A server keeps 4 MiB of a line in memory, so the peak stays near that of the shorter line. With all of 100 MB in memory, it would be at least 1.4 times as high.`,
  seconds: 0,
  async run() {
    const peer = await peakOf(smallest)
    const measured = []
    for (const size of longer) {
      const own = await peakOf(size)
      const known = own !== null && peer !== null
      measured.push({
        part: `${size} MB`,
        ours: textOf(own),
        peer: textOf(peer),
        ratio: known ? own / peer : null,
        goal: { kind: 'at-most', ratio: allowed } as const,
        ...(!known && { note: 'only Linux reports the peak memory of a process' }),
      })
    }
    return measured
  },
}

const textOf = (bytes: number | null) => (bytes === null ? '–' : `${(bytes / mebibyte).toFixed(0)} MiB`)

async function peakOf(size: number): Promise<number | null> {
  if (!existsSync('/proc/self/status')) return null
  const peaks: number[] = []
  for (let round = 0; round < rounds; round++) peaks.push(await peakOnce(size))
  return median(peaks)
}

/** The peak of a fresh server whose agent writes one line of so many MB. */
async function peakOnce(size: number): Promise<number> {
  using folder = createScratchFolder()
  const [data, home] = [join(folder.path, 'data'), join(folder.path, 'home')]
  for (const each of [data, home]) mkdirSync(each)
  await using server = await startServer({ data, home, pace: '0' })
  const script = [
    { type: 'raw', text: '{"type":"long","text":"', open: true },
    { type: 'raw', text: 'x', times: size * million, open: true },
    { type: 'raw', text: '"}' },
  ]
  const body = { id: 'long', agent: 'scripted', cwd: home, options: { script } }
  await call(server, '/sessions', body)
  await call(server, '/sessions/long/prompts', { text: 'go' })
  let session = await call(server, '/sessions/long')
  while (session.ended === null) {
    await sleep(20)
    session = await call(server, '/sessions/long')
  }
  if (session.ended !== 'finished') throw new Error(`The line of ${size} MB ended as: ${session.ended}`)
  const { entries } = await call(server, '/sessions/long/entries')
  if (!entries?.some(({ event }) => (event.rawFile?.bytes ?? 0) >= size * million))
    throw new Error(`The line of ${size} MB was not saved whole.`)
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

interface Answer {
  readonly ended: string | null
  readonly entries?: readonly { readonly event: { readonly rawFile?: { readonly bytes: number } } }[]
}

async function call({ url, token }: ServerProcess, path: string, body?: object) {
  const response = await fetch(`${url}/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return (await response.json()) as Answer
}
