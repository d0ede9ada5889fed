import { randomBytes } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'
import type { Exit, Patience } from '../agent.ts'
import { startChild } from '../kit/child-process.ts'
import { createLogPieces } from '../kit/log-pieces.ts'
import type { Child, LogPieces } from '../program.ts'
import type { Program } from '../kit/readiness.ts'
import { startFailure } from '../kit/start-failure.ts'
import { watchStart } from '../kit/watch-start.ts'
import type { Address } from './http.ts'
import { inheritedNames, passwordName, programOf } from './program.ts'

/** A running `opencode serve`. */
export interface Server extends Address, AsyncDisposable {
  readonly pid: number | null
  readonly exit: Promise<Exit>
  /** Its log from now on, until it ends or the signal is aborted; each listener gets all of it. */
  listen(signal: AbortSignal): LogPieces
}

/** How a server is started. */
export interface ServerOptions {
  readonly cwd: string
  readonly dataFolder: string
  /** Settings as in its config file, as text; null for the person's own only. */
  readonly config: string | null
  /** How long it may take until it listens. */
  readonly patience: Patience
  readonly started: (process: number) => void
  /** Ends it when aborted. */
  readonly signal: AbortSignal
}

/** Starts a private server: on loopback, at a free port, with a random password. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const password = randomBytes(24).toString('base64url')
  const port = await freePort()
  const program = programOf(process.env)
  const child = startChild({
    command: program.command,
    args: ['serve', '--hostname', '127.0.0.1', '--port', String(port)],
    cwd: options.cwd,
    dataFolder: options.dataFolder,
    inherit: inheritedNames(process.env),
    env: {
      [passwordName]: password,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_EMBEDDED_WEB_UI: '1',
      ...(options.config === null ? {} : { OPENCODE_CONFIG_CONTENT: options.config }),
    },
    signal: options.signal,
  })
  if (child.pid !== null) options.started(child.pid)
  const listeners = new Set<LogPieces>()
  const url = await listening(program, child, options.patience, text => {
    for (const each of listeners) each.add(text)
  })
  return {
    url,
    password,
    pid: child.pid,
    exit: child.exit,
    listen(signal) {
      const logs = createLogPieces()
      const end = () => {
        listeners.delete(logs)
        logs.end()
      }
      listeners.add(logs)
      signal.addEventListener('abort', end, { once: true })
      void child.exit.then(end)
      return logs
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => {
    server.close(resolve)
  })
  return port
}

/** Waits until the server prints its address. Other output goes into the log. */
async function listening(
  program: Program,
  child: Child,
  patience: Patience,
  log: (text: string) => void,
): Promise<string> {
  using watch = watchStart({ process: child.pid, lastWords: child.lastWords }, patience)
  const { promise, resolve } = Promise.withResolvers<string | null>()
  void (async () => {
    let printed = ''
    for await (const piece of child.output) {
      const text = Buffer.from(piece).toString('utf8')
      log(text)
      printed = (printed + text).slice(-2_000)
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? []
      if (url === undefined) watch.hear({ raw: text.trim() }, false)
      else resolve(url)
    }
  })()
  void (async () => {
    for await (const text of child.logs) log(text)
  })()
  watch.over.addEventListener('abort', () => resolve(null))
  const url = await Promise.race([promise, child.exit.then(() => null)])
  if (url !== null) return url
  throw await startFailure(program, child, watch, null)
}
