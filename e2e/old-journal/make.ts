// Makes `<commit>/`: a data folder as an older version of Dragoman left it when it was killed, and what that version read from it.
// It was run with commit 08cb028. Run it with a checkout of the older version that has its dependencies:
//   git worktree add /tmp/old 08cb028 && (cd /tmp/old && npm ci)
//   node e2e/old-journal/make.ts /tmp/old e2e/old-journal/08cb028
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { constants, zstdCompressSync } from 'node:zlib'
import type { Agent } from '../../src/agents/agent.ts'
import type { SessionId } from '../../src/protocol/ids.ts'
import type { createDragoman as CreateDragoman, Dragoman } from '../../src/server/create-dragoman.ts'
import type { openStore as OpenStore } from '../../src/store/open-store.ts'
import { play } from './play-recording.ts'
import { call, host, readEntries, readSession, type Readable, type SessionReading } from './read-session.ts'

const [old = '', out = '', inside] = process.argv.slice(2)
const load = <Module>(file: string) => import(join(old, file)) as Promise<Module>

/** The agent of a session, what it is asked, and the recording that it plays as its answer. */
const recorded = [
  ['codex', 'approval-allow', 'Run the command'],
  ['codex', 'live-subagent', 'Ask a subagent'],
  ['codex', 'compact', 'Compact the conversation'],
  ['claude-code', 'permission-allow.both', 'Run the command'],
  ['claude-code', 'permission-deny.both', 'Run the command'],
  ['claude-code', 'subagent-foreground', 'Ask a subagent'],
  ['claude-code', 'api-error-midstream', 'Fail'],
  ['opencode', 'live-subagent', 'Ask a subagent'],
  ['gemini-cli', 'acp-shell-allow', 'Run the command'],
  ['acp', 'opencode-shell-allow', 'Run the command'],
] as const

type Server = Readable & AsyncDisposable & Pick<Dragoman, 'sessions'>

/** Opens a data folder with the older version. */
async function open(root: string, agents: readonly Agent[]): Promise<Server> {
  const { openStore } = await load<{ readonly openStore: typeof OpenStore }>('src/store/open-store.ts')
  const { createDragoman } = await load<{ readonly createDragoman: typeof CreateDragoman }>(
    'src/server/create-dragoman.ts',
  )
  const store = await openStore({ folder: join(root, 'data') })
  const places = { hosts: [host], roots: [root], defaultFolder: root }
  const dragoman = await createDragoman({ store, agents, ...places, log: () => {} })
  return {
    ...dragoman,
    journal: store.journal,
    async [Symbol.asyncDispose]() {
      await dragoman[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

/** Makes the sessions in a data folder, writes down what the older version reads from them, and dies while one of them runs. */
async function makeFolder(root: string): Promise<void> {
  const { agents } = await load<{ readonly agents: readonly Agent[] }>('src/agents/index.ts')
  for (const [name, recording, text] of recorded) {
    const agent = agents.find(each => each.name === name)
    if (agent === undefined) throw new Error(`There is no agent ${name}.`)
    const file = join(old, `src/agents/${name}/recordings/${recording}.jsonl`)
    await using server = await open(root, [play(agent, file)])
    const session = `${name}-${recording}`
    await call(server, 'POST', '/api/sessions', { id: session, agent: name, cwd: root })
    await prompt(server, session, text, !recording.includes('deny'))
  }
  {
    await using server = await open(root, agents)
    await runScripts(server, root)
  }
  const server = await open(root, agents)
  await start(server, root, 'scripted-running')
  await call(server, 'POST', '/api/sessions/scripted-running/prompts', { text: 'a hang' })
  const running = () => readEntries(server.journal, 'scripted-running')
  while (!JSON.stringify(await running()).includes('text-delta')) await wait(20)
  writeFileSync(join(root, 'readings.json'), JSON.stringify(await readAll(server)))
  process.kill(process.pid, 'SIGKILL')
}

/** What the scripted agent and a person do: approvals, failures, context changes, a rollback, a branch, a merge, a deletion. */
async function runScripts(server: Server, root: string): Promise<void> {
  await start(server, root, 'scripted-all')
  for (const text of [
    'everything',
    'an approval',
    'a subagent',
    'a change to approve',
    'an error',
    'a crash',
  ])
    await prompt(server, 'scripted-all', text)

  const changed = '/api/sessions/scripted-changed'
  await start(server, root, 'scripted-changed')
  for (const text of ['tools', 'reading twice']) await prompt(server, 'scripted-changed', text)
  const { interactions, messages } = {
    ...(await read<{ readonly interactions: readonly Named[] }>(server, `${changed}/interactions`)),
    ...(await read<{ readonly messages: readonly Named[] }>(server, `${changed}/messages`)),
  }
  const interaction = interactions[0]?.id
  await call(server, 'POST', `${changed}/manipulations`, { changes: [{ do: 'archive', interaction }] })
  await call(server, 'POST', `${changed}/manipulations/rollback`, { interaction, reason: 'A mistake' })
  await call(server, 'POST', `${changed}/manipulations`, { changes: [{ do: 'pin', interaction }] })
  const branched = await call(server, 'POST', `${changed}/branches`, { messageId: messages[1]?.id })
  const { id: branch } = JSON.parse(branched) as Named
  await prompt(server, branch, 'thinking')
  await call(server, 'POST', `${changed}/merges`, { from: branch })
  await call(server, 'PATCH', changed, { title: 'Renamed' })

  await start(server, root, 'scripted-deleted')
  await prompt(server, 'scripted-deleted', 'markdown')
  await call(server, 'DELETE', '/api/sessions/scripted-deleted')

  const flat = [
    { role: 'user', content: 'What is 2 + 2?' },
    { role: 'assistant', content: 'It is 4.' },
  ]
  await start(server, root, 'legacy', { legacy: { format: 'openai-chat', messages: flat } })
}

interface Named {
  readonly id: string
}

const read = async <Reply>(server: Server, path: string) =>
  JSON.parse(await call(server, 'GET', path)) as Reply

const start = (server: Server, root: string, id: string, more: object = {}) =>
  call(server, 'POST', '/api/sessions', { id, agent: 'scripted', cwd: root, options: { pace: 0 }, ...more })

/** Prompts, answers every question in the same way, and waits until the agent is done. */
async function prompt(server: Server, session: string, text: string, approved = true): Promise<void> {
  const path = `/api/sessions/${session}`
  await call(server, 'POST', `${path}/prompts`, { id: `${session}:${text.replaceAll(' ', '-')}`, text })
  const idle = server.sessions.whenIdle(session as SessionId).then(() => true)
  for (const end = Date.now() + 20_000; (await Promise.race([idle, wait(30)])) !== true;) {
    if (Date.now() > end) throw new Error(`${session} waits for something else than an approval.`)
    type Approval = Named & { readonly status: string }
    const { approvals } = await read<{ readonly approvals: readonly Approval[] }>(server, `${path}/approvals`)
    for (const { id, status } of approvals)
      if (status === 'pending') await call(server, 'POST', `${path}/approvals/${id}`, { approved })
  }
}

/** Reads every session, the deleted one too. */
async function readAll(server: Server): Promise<readonly SessionReading[]> {
  const readings: SessionReading[] = []
  for (const deleted of [0, 1]) {
    const path = `/api/sessions?limit=500&deleted=${deleted}`
    const { sessions } = await read<{ readonly sessions: readonly Named[] }>(server, path)
    for (const { id } of sessions) readings.push(await readSession(server, id))
  }
  return readings
}

/** Packs every file of the folder by itself, without what only a running process needs. */
function pack(root: string): void {
  const params = { [constants.ZSTD_c_compressionLevel]: 19 }
  rmSync(out, { recursive: true, force: true })
  for (const file of ['readings.json', ...globSync('data/**', { cwd: root })]) {
    if (!statSync(join(root, file)).isFile() || /processes|lock\.db|owner\.json|token|sign-in/.test(file))
      continue
    mkdirSync(dirname(join(out, file)), { recursive: true })
    writeFileSync(join(out, `${file}.zst`), zstdCompressSync(readFileSync(join(root, file)), { params }))
  }
}

/** Runs Node, and fails when it ends otherwise than expected. */
function run(args: readonly string[], expected: number | string): void {
  const { status, signal } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if ((status ?? signal) !== expected) throw new Error(`${args[0]} ended with ${status ?? signal}.`)
}

if (inside !== undefined) await makeFolder(inside)
const root = mkdtempSync(join(tmpdir(), 'dragoman-old-journal-'))
const transcripts = join(import.meta.dirname, '../../src/sessions/import/recordings')
run([join(old, 'src/cli/main.ts'), 'import', transcripts, '--data', join(root, 'data')], 0)
run([import.meta.filename, old, out, root], 'SIGKILL')
pack(root)
rmSync(root, { recursive: true })
