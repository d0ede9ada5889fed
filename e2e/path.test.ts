import { readFileSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { codex } from '../src/agents/codex/index.ts'
import { pretendCodex } from '../src/agents/codex/program.fixture.ts'
import { createClient, type Client } from '../src/client/create-client.ts'
import { openServed } from '../src/server/streams/served.fixture.ts'

const root = join(import.meta.dirname, '..')

/** What the page shows a conversation from. The app has a compiler's project of its own, so its file is named and not imported. */
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
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await inspector.post('Profiler.takePreciseCoverage')
  await happen()
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  inspector.disconnect()
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    .map(({ url }) => relative(root, url.startsWith('file:') ? fileURLToPath(url) : url))
    .filter(file => /^(src|web\/src)\//.test(file) && !/\.(test|fixture)\.tsx?$/.test(file))
    .toSorted()
}

const words = [1, 2, 3, 4]
/** 115 files are on the way today, and a timer may add one or two. Lower it when the way gets shorter: the aim is 45, with the threads and the page. */
const most = 118

it('[A1] one Codex delta passes few files on its way from stdout to a row', async () => {
  const folder = pretendCodex('')
  const trigger = join(folder, 'go-on-')
  writeFileSync(join(folder, 'codex'), `${readFileSync(join(folder, 'codex'), 'utf8')}${patient(trigger)}`)
  const served = await openServed({ agents: [codex], lint: false })
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
  // What does not run for every word is not on the way: a heartbeat, or a call of the page that was still under way.
  const [first = [], ...others] = ways
  const way = first.filter(file => others.every(files => files.includes(file)))
  expect(way).toContain('src/sessions/agent/agent-pipeline.ts')
  expect(way).toContain('web/src/transcript/rows.ts')
  expect(way.length, way.join('\n')).toBeLessThanOrEqual(most)
})
