import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { codex } from '../src/agents/codex/index.ts'
import { pretendCodex } from '../src/agents/codex/program.fixture.ts'
import { createClient, type Client } from '../src/client/create-client.ts'
import { openServed } from '../src/server/streams/served.fixture.ts'

const root = join(import.meta.dirname, '..')

/** The module from which the page shows a conversation. The app is a separate TypeScript project, so this is a type and not an import. */
interface Page {
  readonly createTranscriptRoom: (client: Client, session: ReturnType<Client['session']>) => TranscriptRoom
}

interface TranscriptRoom {
  readonly rows: { subscribe(listener: (rows: unknown) => void): () => void }
  start(): () => void
}

const pageFile = join(root, 'web/src/transcript/transcript-room.ts')

/** A Codex that begins an answer, and adds a word to it for each file that appears. */
const patient = (trigger: string) => `
const { existsSync } = require('node:fs')
const at = { threadId: 'T', turnId: 'U' }
const turn = { threadId: 'T', turn: { id: 'U' } }
hear(({ id, method }) => {
  if (id === undefined) return
  say({ id, result: method.startsWith('thread/') ? { thread: { id: 'T' } } : method === 'turn/start' ? { turn: turn.turn } : {} })
  if (method !== 'turn/start') return
  say({ method: 'turn/started', params: turn })
  say({ method: 'item/started', params: { ...at, item: { type: 'agentMessage', id: 'm', text: '' } } })
  say({ method: 'item/agentMessage/delta', params: { ...at, itemId: 'm', delta: 'Once upon ' } })
  let next = 1
  setInterval(() => {
    if (!existsSync(${JSON.stringify(trigger)} + next)) return
    say({ method: 'item/agentMessage/delta', params: { ...at, itemId: 'm', delta: 'word ' + next + '. ' } })
    next += 1
  }, 5)
})
`

/** The product's files in which a function runs while something happens, on the main thread. */
async function filesRunning(happen: () => Promise<void>): Promise<readonly string[]> {
  const inspector = new Session()
  inspector.connect()
  await inspector.post('Debugger.enable')
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await inspector.post('Profiler.takePreciseCoverage')
  await happen()
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  const files: string[] = []
  for (const { scriptId, url, functions } of result) {
    const file = relative(root, url.startsWith('file:') ? fileURLToPath(url) : url)
    if (!/^(src|web\/src)\//.test(file) || /\.(test|fixture)\.tsx?$/.test(file)) continue
    const { scriptSource } = await inspector.post('Debugger.getScriptSource', { scriptId })
    const ran = functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0))
    if (
      ran.some(
        ({ ranges: [range] }) => range && !isExport(scriptSource.slice(range.startOffset, range.endOffset)),
      )
    )
      files.push(file)
  }
  inspector.disconnect()
  return files.toSorted()
}

/** Vitest reads every export through a function that it adds to the file. */
const isExport = (source: string) => /^\(\) => \{ try \{ return [^;{}]* \} catch \{\} \}$/.test(source)

/** A file that does not run every time is not on the path: a heartbeat, or a call that was still under way. */
const inAll = ([first = [], ...others]: readonly (readonly string[])[]): readonly string[] =>
  first.filter(file => others.every(files => files.includes(file)))

/** The index is updated beside the path, at any time. */
const isIndexing = (file: string) => file.startsWith('src/search/')

/** The files that `ARCHITECTURE.md` lists for the path of a delta. */
function documentedPath(): readonly string[] {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const [, block = ''] = /## The files that one text delta[^]*?```\n([^]*?)```/.exec(page) ?? []
  return block.split('\n').flatMap(line => {
    const [folder = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.map(name => `${folder}/${name}.ts`)
  })
}

const words = [1, 2, 3, 4]

/** Without heartbeats: on a busy machine, one would run during each word. */
const limits = { heartbeatMs: 1_000_000 }

it('[A1] one Codex delta passes the files that ARCHITECTURE.md lists, from stdout to a row', async () => {
  const folder = pretendCodex('')
  const trigger = join(folder, 'go-on-')
  writeFileSync(join(folder, 'codex'), `${readFileSync(join(folder, 'codex'), 'utf8')}${patient(trigger)}`)
  const served = await openServed({ agents: [codex], lint: false, limits })
  const client = createClient({ url: served.url, token: served.dragoman.token, timing: { lingerMs: 0 } })
  onTestFinished(() => client.close())
  const { id } = await client.createSession({ agent: 'codex' })
  const session = client.session(id)
  const { createTranscriptRoom } = (await import(pageFile)) as Page
  const room = createTranscriptRoom(client, session)
  const seen = new Map(words.map(word => [word, Promise.withResolvers<void>()]))
  onTestFinished(
    room.rows.subscribe(rows => {
      const text = JSON.stringify(rows)
      for (const [word, { resolve }] of seen) if (text.includes(`word ${word}.`)) resolve()
    }),
  )
  onTestFinished(room.start())
  await session.prompt('Tell me a story').saved
  const ways: (readonly string[])[] = []
  for (const [word, { promise }] of seen)
    ways.push(
      await filesRunning(async () => {
        writeFileSync(`${trigger}${word}`, '')
        await promise
      }),
    )
  const listed = documentedPath()
  expect(listed).toContain('src/sessions/agent/agent-pipeline.ts')
  expect(inAll(ways).filter(file => !listed.includes(file) && !isIndexing(file))).toEqual([])
  expect(listed.filter(file => !ways.flat().includes(file))).toEqual([])
})

/** A Codex that asks for an approval for each file that appears, and writes a file for each answer that it gets. */
const asking = (trigger: string, answered: string) => `
const { existsSync, writeFileSync } = require('node:fs')
const at = { threadId: 'T', turnId: 'U' }
const turn = { threadId: 'T', turn: { id: 'U' } }
const ask = id => {
  const item = { type: 'commandExecution', id: 'call-' + id, command: 'ls', status: 'inProgress' }
  say({ method: 'item/started', params: { ...at, item } })
  say({ id, method: 'item/commandExecution/requestApproval', params: { ...at, itemId: item.id, command: 'ls', cwd: '/' } })
}
hear(({ id, method }) => {
  if (id === undefined) return
  if (method === undefined) return writeFileSync(${JSON.stringify(answered)} + id, '')
  say({ id, result: method.startsWith('thread/') ? { thread: { id: 'T' } } : method === 'turn/start' ? { turn: turn.turn } : {} })
  if (method !== 'turn/start') return
  say({ method: 'turn/started', params: turn })
  let next = 1
  setInterval(() => {
    if (existsSync(${JSON.stringify(trigger)} + next)) ask(next++)
  }, 5)
})
`

/** The path of an answer has two parts: the command is saved, then the line to the agent. Lower it when it gets shorter. */
const mostForAnAnswer = 81

it('[A1] an answer to an approval passes few files from the call of a client to the stdin of Codex', async () => {
  const folder = pretendCodex('')
  const [trigger, answered] = [join(folder, 'ask-'), join(folder, 'answered-')]
  writeFileSync(
    join(folder, 'codex'),
    `${readFileSync(join(folder, 'codex'), 'utf8')}${asking(trigger, answered)}`,
  )
  const served = await openServed({ agents: [codex], lint: false, limits })
  const client = createClient({ url: served.url, token: served.dragoman.token, timing: { lingerMs: 0 } })
  onTestFinished(() => client.close())
  const { id } = await client.createSession({ agent: 'codex' })
  const session = client.session(id)
  await session.prompt('Run ls').saved
  const approvals = async () => {
    const response = await fetch(`${served.url}/api/sessions/${id}/approvals`, { headers: served.headers })
    const read = (await response.json()) as { approvals: readonly { id: string; status: string }[] }
    return read.approvals.filter(({ status }) => status === 'pending')
  }
  const paths: (readonly string[])[] = []
  for (const number of words) {
    writeFileSync(`${trigger}${number}`, '')
    await expect.poll(approvals).toHaveLength(1)
    const [pending] = await approvals()
    paths.push(
      await filesRunning(async () => {
        await session.answer(pending?.id ?? '', { approved: true })
        await expect.poll(() => existsSync(`${answered}${number}`), { interval: 1 }).toBe(true)
      }),
    )
  }
  const path = inAll(paths).filter(file => !isIndexing(file))
  expect(path).toContain('src/sessions/commands/answer-approval.ts')
  expect(path).toContain('src/agents/codex/answers.ts')
  expect(path.length, path.join('\n')).toBeLessThanOrEqual(mostForAnAnswer)
})
