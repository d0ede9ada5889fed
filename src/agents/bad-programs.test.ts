import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { SessionId } from '../protocol/ids.ts'
import { openHouse, type House } from '../sessions/house.fixture.ts'
import { agents } from './index.ts'

/** The program of each agent, and the options of its sessions. */
const programs = {
  'claude-code': { program: 'claude', options: {} },
  codex: { program: 'codex', options: {} },
  opencode: { program: 'opencode', options: {} },
  'gemini-cli': { program: 'gemini', options: {} },
  acp: { program: 'qwen', options: { preset: 'qwen' } },
} as const

/** Starts a command in a separate process session, as agents do, and records its pid. */
const helper = `
const { spawn } = require('node:child_process')
const { writeFileSync } = require('node:fs')
const left = spawn('sleep', ['7654'], { detached: true, stdio: 'ignore' })
writeFileSync(__dirname + '/pids/' + left.pid, '')
writeFileSync(__dirname + '/pids/' + process.pid, '')
`

/** What a wrong program does, and what must be reported about it. It is not interrupted. */
interface Fault {
  readonly body: string
  readonly reports: RegExp
}

const hang = `setInterval(() => {}, 1e6)`
const notReady = /was not ready within 1\.2 seconds/

const faults: Readonly<Record<string, Fault>> = {
  'fails at the start': {
    body: `process.stderr.write('The config is broken.\\n', () => process.exit(3))`,
    reports: /exited with code 3 .*: The config is broken\. /,
  },
  'exits without output': { body: `process.exit(9)`, reports: /exited with code 9 before it was ready\. / },
  'is killed': {
    body: `process.kill(process.pid, 'SIGKILL')`,
    reports: /was killed by SIGKILL before it was ready/,
  },
  'writes garbage and dies': {
    body: `process.stdout.write(Buffer.from([0xff, 0xfe, 10, 0, 1, 10, 123, 10, 91, 93, 10, 110, 117, 108, 108, 10]))
      setTimeout(() => process.exit(4), 300)`,
    reports: /exited with code 4 before it was ready\. Its output does not follow the protocol: /,
  },
  'writes garbage and hangs': {
    body: `process.stdout.write('\\u0000{"type":[]}\\n}{\\n"text"\\n42\\nnull\\n[]\\n{}\\n{"jsonrpc":"2.0"}\\n{"id":0}\\n')
      ${hang}`,
    reports: /was not ready within 1\.2 seconds and was stopped\. Its output does not follow the protocol: /,
  },
  hangs: { body: hang, reports: notReady },
  'hangs after a line in its log': {
    body: `process.stderr.write('Waiting for the moon\\n'); ${hang}`,
    reports: /was not ready within 1\.2 seconds.* Last line of its log: Waiting for the moon\. /,
  },
  'hangs and ignores SIGTERM': {
    body: `process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); ${hang}`,
    reports: notReady,
  },
  'is too old': {
    body: `if (process.argv.includes('--version')) process.stdout.write('0.0.1\\n', () => process.exit())
      else process.stderr.write('error: unknown option\\n', () => process.exit(1))`,
    reports:
      /exited with code 1 .*: error: unknown option\. Its version 0\.0\.1 is older than the tested versions \(.*\)\. Run: /,
  },
  'floods its log and dies': {
    body: `const piece = 'x'.repeat(99) + '\\n'
      let rest = 200
      const flood = () => rest-- > 0
        ? process.stderr.write(piece.repeat(1000), flood)
        : process.stderr.write('Then I fell.\\n', () => process.exit(5))
      flood()`,
    reports: /Then I fell\./,
  },
}

/** Puts the same program in place of every agent, on a PATH with only Node and the system besides. */
function pretend(body: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-bad-'))
  for (const name of ['pids', 'work', 'data']) mkdirSync(join(folder, name))
  if (body !== null)
    for (const { program } of Object.values(programs))
      writeFileSync(join(folder, program), `#!${process.execPath}\n${helper}${body}`, { mode: 0o755 })
  vi.stubEnv('PATH', [folder, dirname(process.execPath), '/usr/bin', '/bin'].join(':'))
  vi.stubEnv('HOME', folder)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    for (const pid of pidsIn(folder)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

const pidsIn = (folder: string) => readdirSync(join(folder, 'pids')).map(Number)

/** Whether a process runs; a zombie does not. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

async function ask(house: House, folder: string, agent: string, options: object): Promise<SessionId> {
  const { session } = await house.sessions.execute({
    type: 'create',
    agent,
    cwd: join(folder, 'work'),
    options: { ...options },
  })
  await house.prompt(session, 'Hello')
  return session
}

async function ended(house: House, session: SessionId) {
  await expect.poll(() => house.events(session, 'interaction-ended'), { interval: 20 }).toHaveLength(1)
  const [end] = await house.events(session, 'interaction-ended')
  return end
}

/** Prompts every agent at once, and returns how each interaction ended. */
const askAll = (house: House, folder: string) =>
  Promise.all(
    Object.entries(programs).map(async ([agent, { options }]) => {
      const end = await ended(house, await ask(house, folder, agent, options))
      return { agent, outcome: end?.outcome, reason: end?.reason ?? '' }
    }),
  )

// The agents run at the same time: most of the time passes in waiting for programs that hang.
describe('a wrong program in place of each agent', () => {
  it.each(Object.entries(faults))(
    '[A14] [R2] that %s: a clear reason, a closed interaction, no leftover process',
    async (_, { body, reports }) => {
      const folder = pretend(body)
      // Programs that hang are given up earlier than usual, to save time.
      const limits = { quietMs: 1200, startMs: 60_000 }
      const house = await openHouse(agents, { dataFolder: join(folder, 'data'), limits })
      await using _sessions = house.sessions
      for (const { agent, outcome, reason } of await askAll(house, folder)) {
        expect.soft(outcome, agent).toBe('failed')
        expect.soft(reason, agent).toMatch(reports)
        expect.soft(reason, agent).toMatch(/Try ".*--version" in a terminal, and run "dragoman doctor"\.$/)
        expect.soft(reason.length, agent).toBeLessThan(3000)
      }
      await expect.poll(() => pidsIn(folder).filter(isAlive)).toEqual([])
      const other = await ask(house, folder, 'scripted', {
        pace: 0,
        script: [{ type: 'text', text: 'Fine.' }],
      })
      expect((await ended(house, other))?.outcome).toBe('finished')
    },
  )

  it('[A12] [R2] that is not installed: the interaction fails with advice', async () => {
    const folder = pretend(null)
    const house = await openHouse(agents, { dataFolder: join(folder, 'data') })
    await using _ = house.sessions
    for (const { agent, outcome, reason } of await askAll(house, folder)) {
      expect.soft(outcome, agent).toBe('failed')
      expect.soft(reason, agent).toMatch(/[Ii]nstall/)
    }
  })
})
