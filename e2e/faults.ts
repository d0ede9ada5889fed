import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createChecks } from './checks.ts'
import { fullDisk } from './faults/full-disk.ts'
import { gaps } from './faults/gaps.ts'
import { restarts } from './faults/restarts.ts'
import { schedules } from './faults/schedules.ts'
import { slowReaders } from './faults/slow-readers.ts'
import { storm } from './faults/storm.ts'
import { twoServers } from './faults/two-servers.ts'
import { startServer } from './server-process.ts'

// Faults of disks, networks, readers and other servers. The server survives each, and no client misses anything.
const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '10000' },
    clients: { type: 'string', default: '1000' },
    every: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const checks = createChecks(60)
const home = mkdtempSync(join(tmpdir(), 'dragoman-faults-'))
const options = { data: join(home, 'data'), home }
const parts: Readonly<Record<string, () => Promise<void>>> = {
  disk: () => fullDisk(checks),
  gaps: () => withServer(server => gaps(server, checks, Number(values.every))),
  storm: () => withServer(server => storm(server, checks, Number(values.clients))),
  'slow-readers': () => withServer(server => slowReaders(server, checks)),
  restarts: () => restarts(options, checks),
  schedules: () => schedules(join(home, 'schedules'), checks, Number(values.schedules)),
  'two-servers': () => withServer(server => twoServers(server, options, checks)),
}

async function withServer(work: (server: Awaited<ReturnType<typeof startServer>>) => Promise<void>) {
  await using server = await startServer({ ...options, flags: ['--max-running', '64'] })
  await work(server)
}

for (const [name, run] of Object.entries(parts)) {
  if (values.only !== undefined && values.only !== name) continue
  const started = performance.now()
  console.log(`\n${name}`)
  await run()
  console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`)
}
rmSync(home, { recursive: true, force: true, maxRetries: 3 })
checks.finish('Faults are survived')
