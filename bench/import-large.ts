import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { claudeCode } from '../src/agents/claude-code/index.ts'
import { findTranscripts } from '../src/sessions/import/find-transcripts.ts'
import { createImports } from '../src/sessions/import/imports.ts'
import { openSessions } from '../src/sessions/sessions.ts'
import { wait } from '../src/sessions/wait.ts'
import { openStore } from '../src/store/open-store.ts'
import { linesOfTranscript } from './import.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'

/**
 * Makes up transcripts of a total size, imports them as a server does, and prints how long it takes and how long other work has to wait
 * meanwhile: `npm run bench:import-large -- --mib 1024`.
 */
const { values } = parseArgs({ options: { mib: { type: 'string', default: '1024' } } })
const wanted = Number(values.mib) * 1024 * 1024
const perTranscript = 8 * 1024 * 1024

using scratch = createScratchFolder()
const transcripts = join(scratch.path, 'transcripts')
const data = join(scratch.path, 'data')
for (const folder of [transcripts, data]) mkdirSync(folder, { recursive: true })
let bytes = 0
while (bytes < wanted) {
  const session = crypto.randomUUID()
  let size = 0
  for (let from = 0; size < Math.min(perTranscript, wanted); from += 1000) {
    const text = linesOfTranscript(session, from, from + 1000)
    appendFileSync(join(transcripts, `${session}.jsonl`), text)
    size += text.length
  }
  bytes += size
}

const stopping = new AbortController()
await using store = await openStore({ folder: data })
await using sessions = await openSessions({ ...store, agents: [claudeCode], dataFolder: data })
const imports = createImports({
  agents: [claudeCode],
  find: (agents, path) => findTranscripts({ agents, path, env: {} }),
  sessions,
  isImported: async () => false,
  dataFolder: data,
  now: Date.now,
  stopping: stopping.signal,
})
// What other work has to wait for, on a machine with nothing else to do: the processor time between two turns.
const turns: number[] = []
let last = process.threadCpuUsage()
const turning = setInterval(() => {
  const { user, system } = process.threadCpuUsage(last)
  last = process.threadCpuUsage()
  turns.push((user + system) / 1000)
}, 1)
const delay = monitorEventLoopDelay({ resolution: 1 })
const [started, before] = [performance.now(), process.cpuUsage()]
delay.enable()
const { id } = imports.start({ path: transcripts })
while (imports.get(id, 0).progress.endedAt === null) await wait(100)
delay.disable()
clearInterval(turning)
turns.sort((one, other) => one - other)
const seconds = (performance.now() - started) / 1000
const { user, system } = process.cpuUsage(before)
const { lines, done, failure } = imports.get(id, 0).progress
console.log({
  mebibytes: Math.round(bytes / 1024 / 1024),
  transcripts: done,
  lines,
  failure,
  wallSeconds: Math.round(seconds),
  processorSeconds: Math.round((user + system) / 1e6),
  linesPerProcessorSecond: Math.round((lines * 1e6) / (user + system)),
  turnOfMainThreadMs: { p99: turns[Math.floor(turns.length * 0.99)], max: turns.at(-1) },
  eventLoopDelayMs: {
    p50: delay.percentile(50) / 1e6,
    p99: delay.percentile(99) / 1e6,
    max: delay.max / 1e6,
  },
})
