import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Exit } from '../program.ts'

const tailLength = 1_000
const lastWordsWait = 250

/** Keeps the end of a log. */
export function rememberTail(log: Readable): () => string {
  let tail = ''
  log.on('data', (text: string) => {
    tail = (tail + text).slice(-tailLength)
  })
  return () => tail.trim()
}

/** How a child exits, with the end of its log as the reason if it failed. Never rejects. */
export async function exitOf(
  child: ChildProcess,
  log: Readable,
  lastWords: () => string,
  { command, cwd }: { readonly command: string; readonly cwd: string },
): Promise<Exit> {
  const closed = new Promise(resolve => log.once('close', resolve))
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    // The end of its log may still be in the pipe.
    await Promise.race([closed, sleep(lastWordsWait)])
    return { code, signal, reason: code === 0 || lastWords() === '' ? null : lastWords() }
  } catch (error) {
    return { code: null, signal: null, reason: whyNotStarted(error, command, cwd) }
  }
}

/** A sentence that says why a program could not be started, and what to do. */
export function whyNotStarted(error: unknown, command: string, cwd: string): string {
  if (!existsSync(cwd)) return `The folder ${cwd} does not exist.`
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT')
    return `The program "${command}" was not found. Install it, or add its folder to PATH.`
  if (code === 'EACCES') return `No permission to run the program "${command}". Check its permissions.`
  return `The program "${command}" could not be started: ${message}`
}
