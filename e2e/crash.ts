import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createBell } from '../src/journal/bell.ts'
import { readAll } from '../src/journal/journal.contract.ts'
import { openSqliteJournal } from '../src/journal/sqlite/open-sqlite-journal.ts'
import { verify } from '../src/journal/sqlite/verify.ts'
import { writerSteps } from '../src/journal/sqlite/writer-messages.ts'
import type { SessionId } from '../src/protocol/ids.ts'
import { runSteps } from '../src/sessions/run-steps.ts'
import type { CrashTask, Told } from './crash-task.ts'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '1000' }, occurrences: { type: 'string', default: '3' } },
})
const sessionCount = 20
const folder = mkdtempSync(join(tmpdir(), 'dragoman-crash-'))
const script = new URL('./crash-server.ts', import.meta.url).pathname

/** What the clients saw, through all crashes of the server. */
const seen = new Map<string, string[]>()
const known = new Set<string>()
const acknowledged = new Map<string, string[]>()
const failures: string[] = []
const restarts: number[] = []
for (let i = 1; i <= sessionCount; i++) seen.set(`crash-${i}`, [])

function listen(told: Told, fresh: Set<string>) {
  switch (told.type) {
    case 'serving':
      return
    case 'trouble':
      failures.push(`trouble: ${told.message}`)
      return
    case 'lost-prompt':
      failures.push(`the acknowledged prompt ${told.prompt} of ${told.session} was lost`)
      return
    case 'acknowledged':
      acknowledged.set(told.session, [...(acknowledged.get(told.session) ?? []), told.prompt])
      return
    case 'seen':
      known.add(told.session)
      for (const [seq, id] of told.entries) hear(told.session, seq, id, fresh)
  }
}

/** One entry reaches a client: the next number, or on coming back the last one again, unchanged. */
function hear(session: string, seq: number, id: string, fresh: Set<string>) {
  const ids = seen.get(session) ?? []
  const isFirst = !fresh.has(session)
  fresh.add(session)
  if (seq === ids.length + 1) ids.push(id)
  else if (!isFirst || seq !== ids.length) failures.push(`${session}: ${seq} came after ${ids.length}`)
  else if (ids[seq - 1] !== id)
    failures.push(`${session}: entry ${seq} changed from ${ids[seq - 1]} to ${id}`)
}

/** Starts a server, listens until it dies, and measures how long it took to serve. Says whether it ended itself. */
async function live(crashAt: CrashTask['crashAt'], delay: number): Promise<boolean> {
  const task: CrashTask = {
    folder,
    crashAt,
    cursors: Object.fromEntries([...seen].map(([name, ids]) => [name, known.has(name) ? ids.length : null])),
    acknowledged: Object.fromEntries([...acknowledged].map(([name, prompts]) => [name, prompts.slice(-2)])),
  }
  const started = performance.now()
  const child = spawn(process.execPath, [script, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Like the command line, which keeps its compiled code for the next start.
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'dragoman-crash-compiled') },
  })
  const fresh = new Set<string>()
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const closed = once(lines, 'close')
  lines.on('line', line => {
    const told = parse(line)
    if (told === undefined) return
    if (told.type === 'serving') {
      restarts.push(performance.now() - started)
      if (delay !== null) setTimeout(kill, delay)
    }
    listen(told, fresh)
  })
  let wasKilled = false
  const kill = () => {
    wasKilled = true
    child.kill('SIGKILL')
  }
  const limit = setTimeout(kill, 20_000)
  const [code, signal] = (await ended) as [number | null, string | null]
  await closed
  clearTimeout(limit)
  if (signal !== 'SIGKILL') failures.push(`the server ended by itself with code ${code}`)
  return !wasKilled
}

/** The last line may be cut by the kill: then no client saw it. */
function parse(line: string): Told | undefined {
  try {
    return JSON.parse(line) as Told
  } catch {
    return undefined
  }
}

async function compareAll() {
  const report = await verify(folder)
  for (const { session, what } of report.damage) failures.push(`verify: ${session ?? 'files'}: ${what}`)
  await using journal = await openSqliteJournal({ folder, bell: createBell() })
  for (const [name, ids] of seen) {
    if (!known.has(name)) continue
    const stored = await readAll(journal, name as SessionId)
    const isGapless = stored.every(({ seq }, index) => seq === index + 1)
    if (!isGapless) failures.push(`${name} has gaps`)
    if (new Set(stored.map(({ id }) => id)).size !== stored.length) failures.push(`${name} has an id twice`)
    const lost = ids.findIndex((id, index) => stored[index]?.id !== id)
    if (lost >= 0) failures.push(`${name}: entry ${lost + 1} of ${ids.length} that were seen is lost`)
  }
  return report
}

const show = (text: string) => process.stdout.isTTY && process.stdout.write(`\r${text}   `)

const kills = Number(values.kills)
for (let kill = 1; kill <= kills && failures.length < 20; kill++) {
  await live(null, Math.random() ** 2 * 150)
  show(`kills ${kill}/${kills}`)
}
const measured = restarts.toSorted((a, b) => a - b)
let stepKills = 0
const reached = new Set<string>()
for (const step of [...writerSteps, ...runSteps])
  for (let occurrence = 1; occurrence <= Number(values.occurrences) && failures.length < 20; occurrence++) {
    if (await live({ step, occurrence: occurrence ** 3 }, 3000)) {
      reached.add(step)
      stepKills += 1
    }
    show(`step ${step} ${occurrence}     `)
  }
if (Number(values.occurrences) > 0)
  for (const step of [...writerSteps, ...runSteps])
    if (!reached.has(step)) failures.push(`the step ${step} was never reached`)
await wait(50)
const report = await compareAll()
rmSync(folder, { recursive: true, force: true })

const quantile = (part: number) =>
  (measured[Math.min(measured.length - 1, Math.floor(measured.length * part))] ?? 0).toFixed(0)
const total = [...seen.values()].reduce((sum, ids) => sum + ids.length, 0)
const prompts = [...acknowledged.values()].reduce((sum, list) => sum + list.length, 0)
console.log(
  `\r${kills} kills at random moments and ${stepKills} at ${reached.size} named steps, ${sessionCount} sessions streaming`,
)
console.log(
  `${total} entries seen by clients, ${prompts} prompts acknowledged, ${report.entries} entries in the journal`,
)
console.log(
  `restart to serving: median ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms (${measured.length} restarts)`,
)
for (const failure of failures.slice(0, 20)) console.log(failure)
console.log(failures.length === 0 ? 'Nothing was lost, doubled or left out.' : `${failures.length} failures`)
process.exitCode = failures.length === 0 ? 0 : 1
