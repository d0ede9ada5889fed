import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry } from '../../src/protocol/entry.ts'
import { createCaller, type Caller } from '../caller.ts'
import type { Checks } from '../checks.ts'
import { startServer } from '../server-process.ts'

const home = mkdtempSync(join(tmpdir(), 'dragoman-faults-'))
const disk = join(home, 'disk')

const main = new URL('../../src/cli/main.ts', import.meta.url).pathname
const environment = { PATH: process.env['PATH'] ?? '', HOME: home, DRAGOMAN_SCRIPTED_PACE: '1' }
const dragoman = (...args: readonly string[]) =>
  spawn(process.execPath, [main, ...args], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })

async function ended(...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = dragoman(...args)
  const texts = { out: '', err: '' }
  child.stdout.on('data', (piece: Buffer) => (texts.out += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (texts.err += piece.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...texts }
}

function mountSmallDisk(megabytes: number): boolean {
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Fills the disk up to so many bytes. */
function fill(leave: number): string {
  const { bavail, bsize } = statfsSync(disk)
  const path = join(disk, 'filler')
  writeFileSync(path, Buffer.alloc(Math.max(0, bavail * bsize - leave)))
  return path
}

async function fullInTheMiddle({ check }: Checks) {
  const data = join(disk, 'data')
  const script = join(home, 'script.json')
  const call = () => ({
    tool: 'Read',
    input: { path: 'noise' },
    output: randomBytes(60_000).toString('base64'),
  })
  const steps = Array.from({ length: 25 }, () => ({ type: 'tools', delay: 20, calls: [call()] }))
  writeFileSync(script, JSON.stringify(steps))
  await ended('run', '--data', data, 'hello')
  const filler = fill(1_200_000)

  const child = dragoman('run', '--data', data, '--script', script, '--json', 'go')
  const closed = once(child, 'close') as Promise<[number | null]>
  let out = ''
  let told = ''
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (told += piece.toString()))
  for (let tries = 0; tries < 150 && !/disk|space/i.test(told); tries++)
    await new Promise(resolve => setTimeout(resolve, 100))
  check(/full|space/i.test(told), `the person sees the error: ${told.trim().split('\n')[0] ?? 'nothing'}`)
  const before = out.length
  await new Promise(resolve => setTimeout(resolve, 500))
  check(out.length === before, 'nothing is shown while nothing can be saved')
  rmSync(filler)
  const [code] = await closed
  check(code === 0, `it continues by itself when there is room again (exit ${code})`)

  const entries = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Entry)
  check(
    entries.every(({ seq }, index) => seq === index + 1),
    `${entries.length} entries without a hole`,
  )
  check(
    entries.some(({ event }) => event.type === 'saving-delayed'),
    'the journal says that saving was held up',
  )
  const tail = await ended('tail', '--data', data, '--json', entries[0]?.session ?? '')
  const stored = tail.out
    .trim()
    .split('\n')
    .map(line => (JSON.parse(line) as Entry).id)
  check(
    entries.every(({ id }, index) => stored[index] === id),
    'everything that was shown is saved',
  )
  const verified = await ended('verify', '--data', data)
  check(verified.code === 0, `verify finds nothing wrong: ${verified.out.trim()}`)
}

async function fullFromTheStart({ check }: Checks) {
  const data = join(disk, 'other')
  const filler = fill(0)
  const refused = await ended('run', '--data', data, 'hello')
  check(
    refused.code === 1 && /full/i.test(refused.err),
    `a full disk is refused: ${refused.err.trim().split('\n')[0] ?? ''}`,
  )
  rmSync(filler)
  const accepted = await ended('run', '--data', data, 'hello')
  check(accepted.code === 0, 'and it works when there is room')
}

const fake = new URL('../../src/agents/acp/fake-agent.fixture.ts', import.meta.url).pathname

/** A session whose agent is a real process that never answers its prompt; gives the session and the process. */
async function startHanging(caller: Caller): Promise<{ readonly session: string; readonly pid: number }> {
  const options = {
    command: process.execPath,
    args: [fake],
    env: { FAKE_MANNER: JSON.stringify({ deafTo: 'session/prompt' }) },
  }
  const { id } = await caller.call<{ id: string }>('POST', '/api/sessions', { agent: 'acp', options })
  await caller.call('POST', `/api/sessions/${id}/prompts`, { text: 'hang' })
  const pid = await eventually(async () => {
    const { entries } = await caller.call<{ entries: readonly Entry[] }>(
      'GET',
      `/api/sessions/${id}/entries?raw=1`,
    )
    // The prompt was sent, so nothing more is to be saved before the disk is full.
    if (!entries.some(({ event }) => event.type === 'host-spoke' && event.raw.includes('session/prompt')))
      return null
    const processes = entries.flatMap(({ event }) =>
      event.type === 'agent-connected' ? [event.process] : [],
    )
    return processes[0] ?? null
  })
  return { session: id, pid }
}

/** Waits until something is there. */
async function eventually<Found>(look: () => Promise<Found | null>, withinMs = 20_000): Promise<Found> {
  for (const since = Date.now(); Date.now() - since < withinMs; await sleep(50)) {
    const found = await look()
    if (found !== null) return found
  }
  throw new Error(`Nothing came within ${withinMs} ms.`)
}

const isGone = async (pid: number) => {
  try {
    process.kill(pid, 0)
    return null
  } catch {
    return true
  }
}

async function stopsOnAFullDisk({ check }: Checks) {
  await using server = await startServer({ data: join(disk, 'served'), home })
  const caller = createCaller(server)
  const send = (method: string, path: string) =>
    fetch(server.url + path, { method, headers: caller.headers }).then(async response => ({
      status: response.status,
      json: (await response.json()) as Record<string, unknown>,
    }))
  const readiness = (status: number) =>
    eventually(async () => {
      const answer = await send('GET', '/readyz')
      return answer.status === status ? answer : null
    }, 3000)
  const one = await startHanging(caller)
  const two = await startHanging(caller)
  const filler = fill(0)
  const { json } = await readiness(503)
  check(json['code'] === 'disk-full', `readiness is 503 on a full disk: ${String(json['code'])}`)

  const stopped = await send('POST', `/api/sessions/${one.session}/interrupt`)
  check(stopped.status === 202, `an interrupt is answered: ${stopped.status} ${JSON.stringify(stopped.json)}`)
  check(await eventually(() => isGone(one.pid), 3000), 'and its process has ended')
  const deleted = await send('DELETE', `/api/sessions/${two.session}`)
  // A little may still fit into the log; then the session is deleted, and its agent is asked to stop first.
  check(
    deleted.status === 200 || String(deleted.json['detail']).startsWith('The agent was stopped'),
    `a deletion is answered: ${deleted.status} ${JSON.stringify(deleted.json)}`,
  )
  check(await eventually(() => isGone(two.pid), 15_000), 'and its process has ended, too')

  rmSync(filler)
  await readiness(200)
  for (const { session } of [one, two])
    await eventually(async () => {
      const { json: shown } = await send('GET', `/api/sessions/${session}?deleted=1`)
      return shown['ended'] === 'interrupted' ? true : null
    })
  check(true, 'with room again the server is ready, and both sessions are saved as interrupted')
}

/**
 * A disk that is full in the middle of an answer: only saved entries are acknowledged, the client gets the error, and when
 * there is room again the answer continues, without a gap.
 */
export async function fullDisk(checks: Checks): Promise<void> {
  try {
    if (!mountSmallDisk(96))
      return checks.check(false, 'Mounting a small disk needs root: the tests of a full disk were NOT run.')
    try {
      await fullInTheMiddle(checks)
      await fullFromTheStart(checks)
      await stopsOnAFullDisk(checks)
    } finally {
      execFileSync('umount', [disk])
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
