import type { Json } from '../../protocol/json.ts'
import { startChild } from '../kit/child-process.ts'
import type { Child, ChildOptions } from '../program.ts'
import { RpcRefusal } from '../kit/json-rpc.ts'
import { isObject, listOf, numberOf, textOf, type JsonObject } from './messages.ts'
import { confined } from './serve-files.ts'

/** Commands that we run for an agent. Disposing ends those that still run. */
export interface Terminals extends AsyncDisposable {
  /** Answers a `terminal/…` request; undefined for an unknown one. */
  serve(method: string, params: JsonObject): Promise<Json> | undefined
}

interface Terminal {
  readonly child: Child
  readonly limit: number
  output: string
  truncated: boolean
  exit: JsonObject | null
  /** Resolves when it has ended and all its output was read. */
  over: Promise<JsonObject>
}

type Deed = (id: string, terminal: Terminal) => Promise<Json>

const resourceNotFound = -32002
const invalidParams = -32602
const defaultLimit = 1024 * 1024

/** Runs commands for an agent, in its folder, each in its own process group. */
export function createTerminals(options: Pick<ChildOptions, 'cwd' | 'dataFolder' | 'signal'>): Terminals {
  const terminals = new Map<string, Terminal>()
  let made = 0

  const create = async (params: JsonObject): Promise<Json> => {
    const wanted = textOf(params['cwd'])
    const cwd =
      wanted === undefined
        ? options.cwd
        : await confined({ cwd: options.cwd, dataFolder: options.dataFolder }, wanted)
    const limit = numberOf(params['outputByteLimit']) ?? defaultLimit
    const child = startChild({ ...options, ...commandOf(params), cwd, env: environmentOf(params) })
    const id = `terminal-${(made += 1)}`
    terminals.set(id, openTerminal(child, limit))
    return { terminalId: id }
  }
  const deeds: Readonly<Record<string, Deed>> = {
    'terminal/output': (_, terminal) => {
      const { exit } = terminal
      return Promise.resolve({ ...outputOf(terminal), ...(exit && { exitStatus: exit }) })
    },
    'terminal/wait_for_exit': async (_, terminal) => ({
      ...(await terminal.over),
      // The agent may never ask for the output, and the journal must have it.
      _meta: { dragoman: outputOf(terminal) },
    }),
    'terminal/kill': async (_, { child }) => {
      await child[Symbol.asyncDispose]()
      return {}
    },
    'terminal/release': async (id, terminal) => {
      await terminal.child[Symbol.asyncDispose]()
      terminals.delete(id)
      return { _meta: { dragoman: { ...outputOf(terminal), exitStatus: await terminal.over } } }
    },
  }

  return {
    serve(method, params) {
      if (method === 'terminal/create') return create(params)
      const deed = deeds[method]
      const id = textOf(params['terminalId']) ?? ''
      return deed && found(terminals, id).then(terminal => deed(id, terminal))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...terminals.values()].map(({ child }) => child[Symbol.asyncDispose]()))
    },
  }
}

function found(terminals: ReadonlyMap<string, Terminal>, id: string): Promise<Terminal> {
  const terminal = terminals.get(id)
  if (terminal) return Promise.resolve(terminal)
  return Promise.reject(new RpcRefusal(resourceNotFound, `There is no terminal ${id}.`))
}

/** Both outputs of a command, in the order in which it writes. A command without arguments is a line for a shell. */
function commandOf(params: JsonObject): Pick<ChildOptions, 'command' | 'args'> {
  const command = textOf(params['command'])
  if (command === undefined || command === '') throw new RpcRefusal(invalidParams, 'The command is missing.')
  const args = listOf(params['args']).filter(arg => typeof arg === 'string')
  if (args.length === 0) return { command: 'sh', args: ['-c', `exec 2>&1\n${command}`] }
  return { command: 'sh', args: ['-c', 'exec "$0" "$@" 2>&1', command, ...args] }
}

function environmentOf(params: JsonObject): Record<string, string> {
  const pairs = listOf(params['env'])
    .filter(isObject)
    .map(entry => [textOf(entry['name']), textOf(entry['value'])] as const)
  return Object.fromEntries(
    pairs.filter(([name, value]) => name !== undefined && value !== undefined),
  ) as Record<string, string>
}

function openTerminal(child: Child, limit: number): Terminal {
  const empty = { child, limit, output: '', truncated: false, exit: null }
  const terminal: Terminal = { ...empty, over: Promise.resolve({}) }
  terminal.over = listen(terminal)
  return terminal
}

async function listen(terminal: Terminal): Promise<JsonObject> {
  const decoder = new TextDecoder()
  for await (const bytes of terminal.child.output) add(terminal, decoder.decode(bytes, { stream: true }))
  add(terminal, decoder.decode())
  const { code, signal } = await terminal.child.exit
  terminal.exit = { exitCode: code, signal }
  return terminal.exit
}

/** Only the end of a long output is kept, as the protocol requires. */
function add(terminal: Terminal, text: string): void {
  terminal.output += text
  const excess = Buffer.byteLength(terminal.output) - terminal.limit
  if (excess <= 0) return
  terminal.truncated = true
  const kept = Buffer.from(terminal.output).subarray(excess).toString('utf8')
  // A split character shows as a replacement character.
  terminal.output = kept.replace(/^\uFFFD+/, '')
}

function outputOf({ output, truncated }: Terminal): JsonObject {
  return { output, truncated }
}
