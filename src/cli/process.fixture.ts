import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { Ran } from './shell.fixture.ts'

const main = join(import.meta.dirname, 'main.ts')
/** Where the processes of all tests keep what they compiled: each starts in two thirds of the time. */
const compiled = join(import.meta.dirname, '../../node_modules/.cache/dragoman-tests')

/** A new folder for the test that runs; it is gone when that is over. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** A command line that runs as a separate process. */
export interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** Resolves when stdout, or stderr, holds a text. */
  shows(text: string, name?: 'out' | 'err'): Promise<void>
  /** What it wrote to stdout so far. */
  out(): string
  readonly ended: Promise<Ran & { readonly signal: string | null }>
}

/** Where a process is started. */
export interface Place {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the real command line, with nothing in its environment but a path and a home; `wrap` puts it into another program. */
export function startProcess(
  args: readonly string[],
  wrap: (words: readonly string[]) => readonly string[] = words => words,
  { cwd = newFolder(), env: more = {} }: Place = {},
): Running {
  const [program = '', ...rest] = wrap([process.execPath, main, ...args])
  // Whatever is installed on this machine, a test runs it only if it names it.
  const always = { DRAGOMAN_AGENT: 'scripted', NODE_COMPILE_CACHE: compiled }
  const env = { PATH: process.env['PATH'], HOME: newFolder(), ...always, ...more }
  const child = spawn(program, rest, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const written = { out: '', err: '' }
  const waiting = new Set<() => void>()
  const hear = (name: 'out' | 'err') => (text: string) => {
    written[name] += text
    for (const look of waiting) look()
  }
  child.stdout.setEncoding('utf8').on('data', hear('out'))
  child.stderr.setEncoding('utf8').on('data', hear('err'))
  let over = false
  const { promise: ended, resolve } = Promise.withResolvers<Awaited<Running['ended']>>()
  child.on('close', (code, signal) => {
    over = true
    for (const look of waiting) look()
    resolve({ code: code ?? -1, signal, ...written })
  })
  const shows = (text: string, name: 'out' | 'err' = 'out') =>
    new Promise<void>((found, missed) => {
      const look = () => {
        if (written[name].includes(text)) found()
        else if (over) missed(new Error(`It ended without showing ${text}: ${written.out}${written.err}`))
      }
      waiting.add(look)
      look()
    })
  return { child, ended, shows, out: () => written.out }
}
