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
import { parseArgs } from 'node:util'
import { createBell } from '../src/journal/bell.ts'
import { created, named, readAll } from '../src/journal/journal.contract.ts'
import type { Journal } from '../src/journal/journal.ts'
import { openSqliteJournal } from '../src/journal/sqlite/open-sqlite-journal.ts'
import { verify } from '../src/journal/sqlite/verify.ts'
import { createRandom } from '../bench/load/random.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
})
const sessions = 12
const random = createRandom(Number(values.seed))
const home = mkdtempSync(join(tmpdir(), 'dragoman-damage-'))

/** A filled folder: stopped cleanly, or left by a killed process with its log behind it. */
async function fill(name: string, ending: 'stop' | 'kill'): Promise<string> {
  const folder = join(home, name)
  const script = new URL('./damage-writer.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, folder, String(sessions), '400', ending], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  if (ending === 'kill') child.kill('SIGKILL')
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

/** Cuts a file off or flips one bit of it, at random, and says what it did. */
function damage(path: string, kind: 'truncation' | 'flip'): string {
  const file = openSync(path, 'r+')
  try {
    const { size } = fstatSync(file)
    const offset = Math.floor(random() * size)
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

/** One damage to a copy: verify must find it, every session it does not name must read as before, and new ones can begin. */
async function round(
  base: string,
  words: Words,
  kind: 'truncation' | 'flip',
): Promise<{ found: boolean; unserved: readonly string[]; what: string; named: number }> {
  const folder = join(home, 'copy')
  copyFolder(base, folder)
  const files = ['journal.db', 'journal.db-wal']
    .map(file => join(folder, file))
    .filter(path => existsSync(path) && statSync(path).size > 0)
  const what = damage(files[Math.floor(random() * files.length)] ?? '', kind)
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

const bases = [await fill('stopped', 'stop'), await fill('killed', 'kill')]
const failures: string[] = []
for (const base of bases) {
  const clean = await verify(base)
  if (clean.damage.length > 0) failures.push(`healthy ${base}: ${JSON.stringify(clean.damage.slice(0, 3))}`)
}
const words = new Map<string, Words>()
for (const base of bases) {
  copyFolder(base, join(home, 'copy'))
  words.set(base, await readWords(join(home, 'copy')))
}
for (const kind of ['truncation', 'flip'] as const) {
  let found = 0
  let namedSessions = 0
  const rounds = Number(values.rounds)
  for (let i = 0; i < rounds; i++) {
    const base = bases[i % bases.length] ?? ''
    const result = await round(base, words.get(base) ?? new Map(), kind)
    if (result.found) found += 1
    else failures.push(`not found: ${result.what}`)
    if (result.unserved.length > 0)
      failures.push(`not served: ${result.unserved.join(', ')} after ${result.what}`)
    namedSessions += result.named
    if (process.stdout.isTTY) process.stdout.write(`\r${kind}s ${i + 1}/${rounds}`)
  }
  console.log(
    `\r${kind}s: ${found} of ${rounds} found, ${(namedSessions / rounds).toFixed(1)} of ${sessions} sessions named on average`,
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
