import { deepEqual } from 'node:assert/strict'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client } from '../../../src/client/index.ts'
import type { ThreadChunk } from '../../../src/protocol/chunk.ts'
import { chunksOf, type Event } from '../../../src/protocol/event.ts'
import type { Json } from '../../../src/protocol/json.ts'
import { assertWellFormed } from '../../../src/protocol/well-formed.ts'
import { startServer, type ServerProcess } from '../../server-process.ts'
import { checkSums } from './check-sums.ts'
import { programsOf } from './clis.ts'
import type { LiveAgent, World } from './live-agent.ts'
import { processesIn, type WorldProcess } from './processes.ts'
import { openTalk, type Talk } from './talk.ts'

/** The setup of a scenario: a server with the agent, and a client that follows. */
export interface Scene extends AsyncDisposable {
  readonly agent: LiveAgent
  readonly world: World
  readonly client: Client
  /** Creates a session and opens it. */
  readonly open: (options?: Readonly<Record<string, Json>>) => Promise<Talk>
  /** Ends the server as a power cut would. */
  readonly kill: () => Promise<void>
  /** Ends the server if it still runs, and starts another in its place. */
  readonly restart: (meanwhile?: () => Promise<unknown>) => Promise<void>
  /** The processes of this scenario beside the server. */
  readonly agents: () => readonly WorldProcess[]
  /** Checks what is left: well-formed streams, a client equal to the server, sums equal to the model's, no process. */
  readonly checkAftermath: (unreported?: number) => Promise<void>
}

type Options = NonNullable<Parameters<Client['createSession']>[0]>['options']

const system = '/usr/local/bin:/usr/bin:/bin'
/** The server ends itself after 9 s at the latest; the rest is for a busy machine. */
const endMs = 15_000

/** Starts the real server in a world, and a client of it. */
export async function setScene(agent: LiveAgent, world: World): Promise<Scene> {
  const PATH = [programsOf(agent), dirname(process.execPath), system].join(':')
  const start = (port: number) =>
    startServer({
      data: world.data,
      home: world.home,
      port,
      env: { ...world.env, PATH },
      flags: ['--root', world.folder, '--agent', agent.name],
    })
  let server = await start(0)
  const port = Number(new URL(server.url).port)
  const client = createClient({ url: server.url, token: server.token })
  const talks: Talk[] = []
  const restart = async (meanwhile: () => Promise<unknown> = async () => undefined) => {
    await server[Symbol.asyncDispose]()
    await meanwhile()
    if (agent.isResumedNextMinute === true) await nextMinute()
    server = await start(port)
  }
  const agents = () => processesIn(world.folder).filter(({ pid }) => pid !== server.child.pid)
  return {
    agent,
    world,
    client,
    async open(options = {}) {
      const { id } = await client.createSession({
        agent: agent.name,
        cwd: world.cwd,
        options: { ...world.options, ...options } as object as Options,
      })
      const talk = openTalk(client, id)
      await talk.until('the session is live', ({ phase }) => phase === 'live')
      talks.push(talk)
      return talk
    },
    kill: () => server.kill(),
    restart,
    agents,
    async checkAftermath(unreported = 0) {
      for (const talk of talks) await checkTalk(client, talk)
      await checkSums(client, { agent, world }, unreported)
      client.close()
      await endServer(server)
      const until = performance.now() + endMs
      while (agents().length > 0 && performance.now() < until) await sleep(50)
      deepEqual(agents(), [], 'something runs on after the server')
    },
    async [Symbol.asyncDispose]() {
      client.close()
      await server[Symbol.asyncDispose]()
      // A failed scenario may leave processes, which must not disturb the next.
      for (const { pid } of agents()) process.kill(pid, 'SIGKILL')
    },
  }
}

const minute = 60_000

/** Waits until the minute is over. */
const nextMinute = () => sleep(minute - (Date.now() % minute))

async function endServer(server: ServerProcess): Promise<void> {
  const begin = performance.now()
  await server[Symbol.asyncDispose]()
  const seconds = (performance.now() - begin) / 1000
  if (seconds * 1000 > endMs) throw new Error(`The server took ${seconds.toFixed(1)} s to end.`)
}

async function checkTalk(client: Client, { session }: Talk): Promise<void> {
  const params = { session: session.id }
  const chunks: ThreadChunk[] = []
  for (let after = 0; ;) {
    const { entries } = await client.call('listEntries', {
      params,
      query: { after: String(after), limit: '1000' },
    })
    if (entries.length === 0) break
    chunks.push(...entries.flatMap(({ event }) => [...chunksOf(event as unknown as Event)]))
    after = entries.at(-1)?.seq ?? after
  }
  assertWellFormed(chunks)
  deepEqual(
    chunks.flatMap(({ chunk }) => (chunk.type === 'data-unknown' ? chunk.data.kind : [])),
    [],
    'the agent sent lines or fields that its translator does not know',
  )
  const { messages } = await client.call('getSnapshot', { params, query: { limit: '1000' } })
  const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
  const main = messages.filter(({ thread }) => thread === null)
  deepEqual(asJson(session.messages.get()), asJson(main.map(({ message }) => message)))
}
