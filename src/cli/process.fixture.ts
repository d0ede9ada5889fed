import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { Ran } from './shell.fixture.ts'

const main = join(import.meta.dirname, 'main.ts')

/** A new folder for the test that runs; it is gone when that is over. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** A command line that runs as a process of its own. */
export interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** Resolves when stdout holds a text. */
  shows(text: string): Promise<void>
  readonly ended: Promise<Ran & { readonly signal: string | null }>
}

/** Starts the real command line, with nothing in its environment but a path and a home; `wrap` puts it into another program. */
export function startProcess(
  args: readonly string[],
  wrap: (words: readonly string[]) => readonly string[] = words => words,
): Running {
  const [program = '', ...rest] = wrap([process.execPath, main, ...args])
  const env = { PATH: process.env['PATH'], HOME: newFolder() }
  const child = spawn(program, rest, { env, cwd: newFolder(), stdio: ['pipe', 'pipe', 'pipe'] })
  const written = { out: '', err: '' }
  const shown = Promise.withResolvers<void>()
  let wanted: string | null = null
  const look = () => {
    if (wanted !== null && written.out.includes(wanted)) shown.resolve()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.out += text
    look()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.err += text))
  const { promise: ended, resolve } = Promise.withResolvers<Awaited<Running['ended']>>()
  child.on('close', (code, signal) => {
    shown.reject(new Error(`It ended without showing ${wanted}: ${written.out}${written.err}`))
    resolve({ code: code ?? -1, signal, ...written })
  })
  shown.promise.catch(() => {})
  return {
    child,
    ended,
    shows(text) {
      wanted = text
      look()
      return shown.promise
    },
  }
}
