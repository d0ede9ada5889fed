import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { DragomanError } from '../../protocol/error.ts'
import type { Child, ChildOptions, Exit, LogPieces } from '../program.ts'
import { endGroup } from './end-group.ts'
import { agentEnvironment } from './environment.ts'
import { exitOf, rememberTail, whyNotStarted } from './exit-of.ts'
import { guard } from './guardian.ts'
import { createLogPieces } from './log-pieces.ts'
import { markName } from './marked-processes.ts'
import { registerProcess, type Registered } from './process-registry.ts'

type Process = ChildProcessWithoutNullStreams & { readonly stdout: Socket; readonly stderr: Socket }

const defaultGrace = 2_000
const checkEvery = 100

/** Starts a program on this machine. If that fails, returns a child that has already exited, with the reason. */
export function startChild(options: ChildOptions): Child {
  const mark = randomUUID()
  const child = launch(options, mark)
  if (typeof child === 'string') return neverStarted(child)
  const logs = createLogPieces()
  child.stderr.on('data', (text: string) => logs.add(text))
  child.stderr.on('close', () => logs.end())

  const { command, signal, dataFolder, grace = defaultGrace } = options
  const { pid } = child
  const lastWords = rememberTail(child.stderr)
  const exit = exitOf(child, child.stderr, lastWords, options)
  const unregister = pid === undefined ? () => undefined : register(dataFolder, { pid, command, mark }, logs)
  let disposed = false
  const dispose = () => {
    disposed = true
    if (pid !== undefined && isRunning(child)) void endGroup(pid, grace, mark)
  }
  signal.addEventListener('abort', dispose, { once: true })
  const ended = exit.then(async () => {
    signal.removeEventListener('abort', dispose)
    // Otherwise the child's own children would run on and keep the pipes open.
    if (pid !== undefined) await endGroup(pid, grace, mark)
    unregister()
    await Promise.all([letGo(child.stdout, () => disposed), letGo(child.stderr, () => true)])
  })
  return {
    pid: pid ?? null,
    output: outputOf(child.stdout),
    logs,
    lastWords,
    exit,
    async write(text) {
      if (!isRunning(child)) throw new DragomanError('agent-unavailable', await whyGone(exit, command))
      await new Promise<void>(resolve => {
        child.stdin.write(text, () => resolve())
      })
    },
    async [Symbol.asyncDispose]() {
      dispose()
      await ended
    },
  }
}

function launch(options: ChildOptions, mark: string): Process | string {
  const { command, file, cwd, inherit, env, signal } = options
  const args = file === undefined ? options.args : [file, ...options.args]
  if (signal.aborted) return 'It was cancelled before it started.'
  try {
    guard(mark)
    const environment = agentEnvironment(process.env, inherit, { ...env, [markName]: mark })
    const child = spawn(command, args, { cwd, env: environment, detached: true, stdio: 'pipe' })
    child.on('error', () => undefined)
    // Without free file descriptors there are no pipes, although the types say otherwise.
    if (!(child.stderr as Readable | undefined)) return 'The system has too many files open to start it.'
    child.stdin.on('error', () => undefined)
    child.stderr.setEncoding('utf8')
    // Without a listener, Node drops the output of a child that exits before its output is read.
    child.stdout.on('readable', () => undefined)
    return child as Process
  } catch (error) {
    return whyNotStarted(error, command, cwd)
  }
}

function neverStarted(reason: string): Child {
  const logs = createLogPieces()
  logs.end()
  return {
    pid: null,
    output: (async function* () {})(),
    logs,
    lastWords: () => '',
    exit: Promise.resolve({ code: null, signal: null, reason }),
    write: () => Promise.reject(new DragomanError('agent-unavailable', reason)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

function register(dataFolder: string, running: Registered, logs: LogPieces): () => void {
  try {
    return registerProcess(dataFolder, running)
  } catch (error) {
    logs.add(
      `Process ${running.pid} could not be recorded, so a later start cannot stop it: ${String(error)}\n`,
    )
    return () => undefined
  }
}

function isRunning(child: Process): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

async function* outputOf(stdout: Socket): AsyncGenerator<Uint8Array> {
  try {
    yield* stdout
  } catch {
    // The pipe was closed by us: no more output can come.
  }
}

async function whyGone(exit: Promise<Exit>, command: string): Promise<string> {
  const { code, signal, reason } = await exit
  const never = code === null && signal === null
  if (never && reason !== null) return reason
  const lastWords = reason === null ? '' : ` Its last output was: ${reason}`
  return `"${command}" has exited and accepts no more messages.${lastWords}`
}

/** Closes a pipe that a process outside the group keeps open, once it is empty, or full without a reader. */
async function letGo(stream: Socket, abandoned: () => boolean): Promise<void> {
  const closed = new Promise(resolve => stream.once('close', resolve))
  let before = ''
  while (!stream.closed) {
    const now = `${stream.bytesRead} ${stream.readableLength}`
    if (now === before && (stream.readableLength === 0 || abandoned())) stream.destroy()
    before = now
    await Promise.race([closed, sleep(checkEvery, undefined, { ref: false })])
  }
}
