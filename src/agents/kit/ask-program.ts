import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Exit } from '../agent.ts'
import { endGroup } from './end-group.ts'
import { watchActivity } from './group-activity.ts'
import { markName } from './marked-processes.ts'
import { programPath } from './program-path.ts'

/** The outcome of running a program for an answer: the answer, or that it is missing, or cannot be run and why. */
export type Asked =
  | {
      readonly type: 'answered'
      readonly path: string
      readonly out: string
      readonly code: number
      /** The last line of its stderr; empty if there is none. */
      readonly lastWord: string
    }
  | { readonly type: 'missing' }
  | { readonly type: 'broken'; readonly path: string; readonly why: string }

/** How long an idle program and any program may take, in milliseconds. */
export interface AskLimits {
  readonly quietMs: number
  readonly mostMs: number
}

const defaultLimits: AskLimits = { quietMs: 4_000, mostMs: 12_000 }
const graceMs = 400
const noticeMs = 100
const longest = 64 * 1024

/** Runs a program that answers at once and without input, such as for its version. All processes that it started end with it. */
export async function askProgram(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  limits: AskLimits = defaultLimits,
): Promise<Asked> {
  const path = await programPath(command, env)
  if (path === null) return { type: 'missing' }
  const mark = randomUUID()
  try {
    const child = spawn(path, args, {
      env: { ...env, [markName]: mark },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return { path, ...(await readAnswer(child, mark, limits)) }
  } catch (error) {
    return { type: 'broken', path, why: (error as Error).message }
  }
}

type Heard =
  | Omit<Extract<Asked, { readonly type: 'answered' }>, 'path'>
  | Omit<Extract<Asked, { readonly type: 'broken' }>, 'path'>

async function readAnswer(child: ReturnType<typeof spawn>, mark: string, limits: AskLimits): Promise<Heard> {
  const [out, err] = [gather(child.stdout), gather(child.stderr)]
  const { promise: exited, resolve } = Promise.withResolvers<Exit>()
  child.once('error', ({ message }) => resolve({ code: null, signal: null, reason: message }))
  child.once('exit', (code, signal) => resolve({ code, signal, reason: null }))
  const closed = new Promise(close => child.once('close', close))
  const { pid } = child
  const late = pid === undefined ? null : await lateness(pid, exited, limits)
  // Otherwise its own children would run on and keep the pipes open.
  if (pid !== undefined) await endGroup(pid, graceMs, mark)
  await Promise.race([closed, sleep(pid === undefined ? 0 : graceMs, undefined, { ref: false })])
  for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  if (late !== null) return { type: 'broken', why: `it did not answer within ${late / 1000} seconds` }
  return outcomeOf(await exited, out(), lastLine(err()))
}

function outcomeOf({ code, signal, reason }: Exit, out: string, lastWord: string): Heard {
  if (code !== null) return { type: 'answered', out, code, lastWord }
  const words = lastWord === '' ? '' : `: ${lastWord}`
  if (signal !== null) return { type: 'broken', why: `it was killed by ${signal}${words}` }
  const isUnfounded = reason?.includes('ENOENT') === true
  return {
    type: 'broken',
    why: isUnfounded ? 'the program in its first line does not exist' : (reason ?? ''),
  }
}

/** Waits for the exit. Null if it came in time, otherwise the time that was waited. */
async function lateness(
  pid: number,
  ended: Promise<unknown>,
  { quietMs, mostMs }: AskLimits,
): Promise<number | null> {
  const isActive = watchActivity(pid)
  const over = ended.then(() => true)
  const began = performance.now()
  const isOver = (milliseconds: number) => Promise.race([over, sleep(milliseconds, false, { ref: false })])
  if (await isOver(quietMs / 2)) return null
  isActive()
  if (await isOver(quietMs / 2)) return null
  while (isActive()) {
    const left = mostMs - (performance.now() - began)
    if (left <= 0) return mostMs
    if (await isOver(Math.min(quietMs / 2, left))) return null
  }
  // It may have ended just now; a busy machine reports the exit a moment later.
  return (await isOver(noticeMs)) ? null : quietMs
}

/** Keeps only the end of the output, which may be a flood. */
function gather(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.setEncoding('utf8')
  stream?.on('data', (piece: string) => {
    text = (text + piece).slice(-longest)
  })
  return () => text
}

/** The last line of a text that is not blank. */
export const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1)?.trim() ?? ''
