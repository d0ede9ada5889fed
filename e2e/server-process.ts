import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const main = join(import.meta.dirname, '../src/cli/main.ts')

/** A server that runs in a separate process. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly token: string
  readonly child: ChildProcess
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>
}

/** How a server is started. */
export interface ServerProcessOptions {
  readonly data: string
  readonly home: string
  /** 0 takes any that is free. */
  readonly port?: number
  /** How much slower or faster the scripted agent speaks. */
  readonly pace?: string
  readonly flags?: readonly string[]
  /** Additional variables of its environment; it gets none of ours. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the real server on a data folder and waits until it serves. */
export async function startServer(options: ServerProcessOptions): Promise<ServerProcess> {
  const { data, home, port = 0, pace = '1', flags = [] } = options
  // Whatever is installed on this machine, it runs only if it is named.
  const always = { DRAGOMAN_AGENT: 'scripted', DRAGOMAN_SCRIPTED_PACE: pace }
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, ...always, ...options.env }
  const args = [main, 'serve', '--json', '--no-open', '--data', data, '--port', String(port), ...flags]
  const child = spawn(process.execPath, args, { env, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] })
  let told = ''
  child.stderr.on('data', (piece: Buffer) => (told = (told + piece.toString()).slice(-4000)))
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([once(lines, 'line') as Promise<[string]>, ended.then(() => null)])
  if (first === null) throw new Error(`The server ended before it served: ${told}`)
  const { url } = JSON.parse(first[0]) as { readonly url: string }
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  return {
    url: url.replace(/\/$/, ''),
    token: readFileSync(join(data, 'token'), 'utf8').trim(),
    child,
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () =>
      child.exitCode === null && child.signalCode === null ? end('SIGTERM') : Promise.resolve(),
  }
}
