import { isDeepStrictEqual } from 'node:util'
import { createClient, type Client } from '../../src/client/index.ts'
import type { Message } from '../../src/protocol/message.ts'
import { createCaller, type Caller } from '../caller.ts'
import type { Checks } from '../checks.ts'
import { startServer, type ServerProcess, type ServerProcessOptions } from '../server-process.ts'

const sessions = 20
const kills = 3
const patience = 30_000

/** The server is killed while many sessions stream to many clients, and started again: each client catches up by itself. */
export async function restarts(options: ServerProcessOptions, { check }: Checks): Promise<void> {
  const flags = ['--max-running', String(sessions)]
  let server = await startServer({ ...options, flags })
  const port = Number(new URL(server.url).port)
  let caller = createCaller(server)
  const names = Array.from({ length: sessions }, (_, at) => `restart-${at}`)
  const text = Array.from({ length: 2000 }, (_, at) => `word${at}`).join(' ')
  for (const name of names) await caller.createSession(name, [{ type: 'text', text, every: 3 }], 1)
  const clients = names.map((name, at) => attach(server, name, at % 2 === 0))
  for (let round = 1; round <= kills; round++) {
    for (const name of names) await caller.prompt(name)
    await pause(1500 + Math.random() * 1000)
    const shown = clients.filter(({ seq }) => seq() > 5).length
    await server.kill()
    server = await startServer({ ...options, port, flags })
    caller = createCaller(server)
    const agreed = await agreeing(caller, clients)
    check(shown === sessions, `kill ${round}: ${shown} of ${sessions} clients were reading a stream`)
    check(agreed === sessions, `kill ${round}: ${agreed} of ${sessions} clients show the state of the server`)
  }
  for (const { client } of clients) client.close()
  await server[Symbol.asyncDispose]()
}

interface Attached {
  readonly name: string
  readonly client: Client
  readonly seq: () => number
  readonly messages: () => readonly Message[]
}

function attach({ url, token }: ServerProcess, name: string, overSocket: boolean): Attached {
  const client = createClient({ url, token, ...(!overSocket && { WebSocket: null }) })
  const session = client.session(name)
  session.messages.subscribe(() => undefined)
  return { name, client, seq: () => session.state.get().seq, messages: () => session.messages.get() }
}

/** How many clients show the state of the server, when nothing runs any more. */
async function agreeing(caller: Caller, clients: readonly Attached[]): Promise<number> {
  const agreed = new Set<Attached>()
  const begin = performance.now()
  while (agreed.size < clients.length && performance.now() - begin < patience) {
    for (const each of clients) {
      if (agreed.has(each)) continue
      const path = `/api/sessions/${each.name}/snapshot?limit=1000`
      const there = await caller.call<{
        readonly session: { readonly seq: number; readonly status: string }
        readonly messages: readonly { readonly message: Message }[]
      }>('GET', path)
      const isSame = isDeepStrictEqual(
        JSON.parse(JSON.stringify(each.messages())),
        there.messages.map(({ message }) => message),
      )
      if (isSame && each.seq() === there.session.seq && there.session.status !== 'running') agreed.add(each)
    }
    await pause(100)
  }
  return agreed.size
}

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))
