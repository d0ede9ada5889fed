import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import type { Raw } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import type { Agent, Connection, ConnectOptions } from '../agent.ts'
import { acp } from '../acp/index.ts'
import { claudeCode } from '../claude-code/index.ts'
import { codex } from '../codex/index.ts'
import { geminiCli } from '../gemini-cli/index.ts'
import { opencode } from '../opencode/index.ts'
import { scripted } from '../scripted/index.ts'
import { createRemoteAgent, type RemoteSettings, type Times } from './index.ts'

export const proxyFolder = join(import.meta.dirname, '../../../proxies/python')
export const known: readonly Agent[] = [scripted, claudeCode, codex, opencode, geminiCli, acp]

/** The Python of this machine itself, not a shim that looks for it each time; null when there is none. */
export const python = findPython()

function findPython(): string | null {
  try {
    const args = ['-c', 'import sys; print(sys.executable)']
    return execFileSync('python3', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    // Every user of Python prints it.
    return null
  }
}

/** The message in place of a test that needs Python. */
export const withoutPython =
  'python3 is not on the PATH, so the service for remote agents was NOT tested. Install Python 3.9 or newer.'

/** A folder that is removed after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-remote-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A running service. */
export interface Running {
  readonly url: string
  readonly port: number
  readonly folder: string
  readonly tokenFile: string
  readonly process: ChildProcess
  call(path: string, method?: string): Promise<Response>
  /** Ends it, and resolves when it has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Starts the service, with programs and other settings, for the time of a test. */
export async function startService(
  programs: Readonly<Record<string, object>>,
  more: Readonly<Record<string, Json>> = {},
  folder = newFolder(),
): Promise<Running> {
  const config = join(folder, 'proxy.json')
  const tokenFile = join(folder, 'token')
  writeFileSync(config, JSON.stringify({ port: 0, roots: ['/'], tokenFile, programs, ...more }))
  const args = ['-m', 'dragoman_proxy', '--config', config]
  const child = spawn(python ?? 'python3', args, { cwd: proxyFolder, stdio: ['ignore', 'pipe', 'inherit'] })
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  onTestFinished(() => end('SIGTERM'))
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('The service ended before it was ready.'))),
  ])) as [string]
  const { url } = JSON.parse(line) as { readonly url: string }
  const headers = () => ({ authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` })
  return {
    url,
    port: Number(new URL(url).port),
    folder,
    tokenFile,
    process: child,
    call: (path, method = 'GET') => fetch(`${url}${path}`, { method, headers: headers() }),
    end,
  }
}

/** The agent whose program runs behind a service. */
export function remote(
  service: Pick<Running, 'url' | 'tokenFile'>,
  agent: string,
  more: Partial<RemoteSettings> = {},
  times: Times = {},
): Agent {
  const { url, tokenFile: file } = service
  const settings: RemoteSettings = { kind: 'remote', url, agent, token: { file }, ...more }
  return createRemoteAgent({ name: 'there', settings, agents: known, times })
}

/** A connection, and the lines that we sent on it. */
export interface Connected {
  readonly connection: Connection
  readonly sent: readonly Raw[]
}

/** Connects an agent until the test is over. */
export async function connect(agent: Agent, more: Partial<ConnectOptions> = {}): Promise<Connected> {
  const sent: Raw[] = []
  const folder = newFolder()
  const connection = await agent.connect({
    cwd: folder,
    resume: null,
    options: null,
    dataFolder: folder,
    signal: AbortSignal.timeout(60_000),
    record(line) {
      sent.push(line)
      return Promise.resolve()
    },
    ...more,
  })
  onTestFinished(() => connection[Symbol.asyncDispose]())
  return { connection, sent }
}

/** The lines of a connection, up to one that matches or to its end. */
export async function linesOf(
  connection: Connection,
  isLast: (raw: string) => boolean = () => false,
): Promise<readonly Raw[]> {
  const lines: Raw[] = []
  for await (const raw of connection.messages) {
    lines.push(raw)
    if (isLast(raw.raw)) break
  }
  return lines
}

/** The program of the scripted agent, as a service would run it. */
export const scriptedProgram = {
  argv: [process.execPath, join(import.meta.dirname, '../scripted/agent-process.ts')],
}
