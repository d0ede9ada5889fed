import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createBell } from '../src/journal/bell.ts'
import { created, named, readAll } from '../src/journal/journal.contract.ts'
import type { Journal } from '../src/journal/journal.ts'
import { openSqliteJournal } from '../src/journal/sqlite/open-sqlite-journal.ts'
import { readWalFile } from '../src/journal/sqlite/wal-file.ts'
import { verify } from '../src/journal/sqlite/verify.ts'
import { createRandom } from '../bench/load/random.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
})
const sessions = 12
const slotSize = 24 + 4096
/** About as many as a second of a busy session takes. */
const newestSlots = 30
const random = createRandom(Number(values.seed))
const home = mkdtempSync(join(tmpdir(), 'dragoman-damage-'))

/**
 * A filled folder: stopped cleanly, or left with its log by a process that was killed in the moment when all was
 * acknowledged, or (busy) while it went on writing.
 */
async function fill(name: string, ending: 'stop' | 'kill' | 'busy', rounds = 400): Promise<string> {
  const folder = join(home, name)
  const script = new URL('./damage-writer.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, folder, String(sessions), String(rounds), ending], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  if (ending === 'busy') await sleep(random() * 300)
  if (ending !== 'stop') child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return folder
}

function copyFolder(from: string, to: string) {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { mode: 0o700 })
  for (const file of readdirSync(from))
    if (!file.endsWith('-shm')) copyFileSync(join(from, file), join(to, file))
}

type Words = ReadonlyMap<string, string>

async function readSession(journal: Journal, name: string): Promise<string> {
  return JSON.stringify(await readAll(journal, named(name)))
}

async function readWords(folder: string): Promise<Words> {
  await using journal = await openSqliteJournal({ folder, bell: createBell() })
  const words = new Map<string, string>()
  for (let i = 1; i <= sessions; i++) words.set(`session-${i}`, await readSession(journal, `session-${i}`))
  return words
}

/** Cuts a file off or flips one bit of it, somewhere in a range of its bytes, and says what it did. */
function damage(path: string, kind: 'truncation' | 'flip', [from, to]: readonly [number, number]): string {
  const file = openSync(path, 'r+')
  try {
    const { size } = fstatSync(file)
    const offset = from + Math.floor(random() * (to - from))
    if (kind === 'truncation') {
      ftruncateSync(file, offset)
      return `${path} cut to ${offset} of ${size} bytes`
    }
    const byte = Buffer.alloc(1)
    readSync(file, byte, 0, 1, offset)
    const bit = Math.floor(random() * 8)
    writeSync(file, Buffer.from([(byte[0] ?? 0) ^ (1 << bit)]), 0, 1, offset)
    return `${path} bit ${bit} of byte ${offset} of ${size} flipped`
  } finally {
    closeSync(file)
  }
}

/** Chooses a file of a folder, and the bytes of it of which one is damaged. */
type Choice = (folder: string) => { readonly path: string; readonly range: readonly [number, number] }

/** Any byte of the database or its log. */
const anywhere: Choice = folder => {
  const files = ['journal.db', 'journal.db-wal']
    .map(file => join(folder, file))
    .filter(each => existsSync(each) && statSync(each).size > 0)
  const path = files[Math.floor(random() * files.length)] ?? ''
  return { path, range: [0, statSync(path).size] }
}

const inNewestCommits: Choice = folder => {
  const path = join(folder, 'journal.db-wal')
  return { path, range: newestBytes(path) }
}

/** The head of a page, which tells SQLite how to read all of it. */
const inHeadOfPage =
  (page: number): Choice =>
  folder => ({ path: join(folder, 'journal.db'), range: [page * 4096, page * 4096 + 12] })

/** One damage to a copy: verify must find it, every session it does not name must read as before, and new ones can begin. */
async function round(
  base: string,
  words: Words,
  kind: 'truncation' | 'flip',
  choose: Choice,
): Promise<{ found: boolean; unserved: readonly string[]; what: string; named: number }> {
  const folder = join(home, 'copy')
  copyFolder(base, folder)
  const { path, range } = choose(folder)
  const what = damage(path, kind, range)
  const report = await verify(folder)
  const hurt = new Set(report.damage.map(({ session }) => session))
  const healthy = [...words].filter(([name]) => !hurt.has(name))
  const unserved: string[] = []
  try {
    await using journal = await openSqliteJournal({ folder, bell: createBell() })
    for (const [name, expected] of healthy)
      if ((await readSession(journal, name).catch(String)) !== expected) unserved.push(name)
    await journal.create(named('after-the-damage'), [created])
  } catch (error) {
    unserved.push(`the folder (${String(error)})`)
  }
  return { found: report.damage.length > 0, unserved, what, named: words.size - healthy.length }
}

/** The last slots of the log that a commit wrote: the newest fraction of a second. */
function newestBytes(path: string): readonly [number, number] {
  const wal = readWalFile(path, { compare: true })
  const used = wal?.frames.findLastIndex(frame => frame.sound) ?? -1
  const end = 32 + (used + 1) * slotSize
  return [Math.max(32, end - newestSlots * slotSize), end]
}

const stopped = await fill('stopped', 'stop')
const killed = await Promise.all([1, 2, 3].map(n => fill(`killed-${n}`, 'kill', 300 + n * 33)))
const bases = [stopped, ...killed]
const failures: string[] = []
const busy = Math.ceil(Number(values.rounds) / 20)
for (let i = 0; i < busy; i++) bases.push(await fill(`busy-${i}`, 'busy', 20))
for (const base of bases) {
  copyFolder(base, join(home, 'copy'))
  const clean = await verify(join(home, 'copy'))
  if (clean.damage.length > 0) failures.push(`healthy ${base}: ${JSON.stringify(clean.damage.slice(0, 3))}`)
}
console.log(
  `healthy: ${bases.length - failures.length} of ${bases.length} folders, ${busy} of them killed while writing, without a false alarm`,
)
bases.splice(1 + killed.length)
const words = new Map<string, Words>()
for (const base of bases) {
  copyFolder(base, join(home, 'copy'))
  words.set(base, await readWords(join(home, 'copy')))
}
const fullRounds = Number(values.rounds)
const pagesOf = (base: string) => Math.floor(statSync(join(base, 'journal.db')).size / 4096)
const half = Math.ceil(fullRounds / 2)
const phases: readonly Phase[] = [
  { what: 'truncations', kind: 'truncation', damaged: bases, rounds: fullRounds, choose: () => anywhere },
  { what: 'flips', kind: 'flip', damaged: bases, rounds: fullRounds, choose: () => anywhere },
  ...(['truncation', 'flip'] as const).map(kind => ({
    what: `${kind}s in the newest commits of a killed process`,
    kind,
    damaged: killed,
    rounds: half,
    choose: () => inNewestCommits,
  })),
  {
    what: 'flips in the head of each page',
    kind: 'flip',
    damaged: [stopped],
    rounds: Math.min(fullRounds, pagesOf(stopped)),
    choose: inHeadOfPage,
  },
]
for (const phase of phases) await run(phase)

interface Phase {
  readonly what: string
  readonly kind: 'truncation' | 'flip'
  readonly damaged: readonly string[]
  readonly rounds: number
  readonly choose: (round: number) => Choice
}

async function run({ what, kind, damaged, rounds, choose }: Phase) {
  let found = 0
  let namedSessions = 0
  for (let i = 0; i < rounds; i++) {
    const base = damaged[i % damaged.length] ?? ''
    const result = await round(base, words.get(base) ?? new Map(), kind, choose(i))
    if (result.found) found += 1
    else failures.push(`not found: ${result.what}`)
    if (result.unserved.length > 0)
      failures.push(`not served: ${result.unserved.join(', ')} after ${result.what}`)
    namedSessions += result.named
    if (process.stdout.isTTY) process.stdout.write(`\r${what} ${i + 1}/${rounds}`)
  }
  console.log(
    `\r${what}: ${found} of ${rounds} found, ${(namedSessions / rounds).toFixed(1)} of ${sessions} sessions named on average`,
  )
}

rmSync(home, { recursive: true, force: true })
for (const failure of failures.slice(0, 20)) console.log(failure)
console.log(
  failures.length === 0
    ? 'All damage was found, and every other session was served.'
    : `${failures.length} failures`,
)
process.exitCode = failures.length === 0 ? 0 : 1
