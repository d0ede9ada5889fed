import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import type { Agent } from '../../agents/agent.ts'
import { claudeCode } from '../../agents/claude-code/index.ts'
import { codex } from '../../agents/codex/index.ts'
import { geminiCli } from '../../agents/gemini-cli/index.ts'
import { opencode } from '../../agents/opencode/index.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { createPuppet, type Stage } from '../puppet.fixture.ts'
import { claudeLines } from './claude-lines.fixture.ts'
import { openFollowing } from './following.fixture.ts'
import { folderWith, jsonLines } from './transcripts.fixture.ts'

const timeout = { timeout: 30_000, interval: 10 }

/** An agent that prints what a real one printed, when the test asks for it. */
function replaying(agent: Agent, recording: string, name = agent.name) {
  const path = join(import.meta.dirname, '../../agents', agent.name, 'recordings', `${recording}.jsonl`)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const raws = lines.map(raw => agent.readRecorded?.(raw) ?? ({ from: 'agent', text: raw } as const))
  const prompted = Promise.withResolvers<Stage>()
  const over = Promise.withResolvers<void>()
  const puppet = createPuppet({
    name,
    async act(stage) {
      prompted.resolve(stage)
      await over.promise
      stage.exit()
    },
  })
  // It is connected as a puppet, and understood as the real one.
  const replay: Agent = {
    ...agent,
    capabilities: puppet.capabilities,
    find: options => puppet.find(options),
    connect: options => puppet.connect(options),
  }
  /** Says it all, in the order of the recording. */
  const speak = async (house: House, session: SessionId) => {
    const { say, options } = await prompted.promise
    const said = async () => (await house.entries(session)).filter(({ event }) => 'raw' in event).length
    for (const { from, text } of raws) {
      const before = await said()
      if (from === 'agent') say(text)
      else await options.record({ raw: text })
      await expect.poll(said, timeout).toBeGreaterThan(before)
    }
  }
  return { replay, prompted: prompted.promise, speak, end: () => over.resolve() }
}

const at = (second: number) => new Date(1_770_000_000_000 + second * 1000).toISOString()

/** How each agent writes the transcript of its session, and goes on with it. */
const writers: Readonly<Record<string, (folder: string, id: string, count: number) => void>> = {
  'claude-code'(folder, id, count) {
    const l = claudeLines(id)
    const all = [l.prompt('Go'), l.text('Going.'), l.text('Gone.')]
    appendFileSync(join(folder, `${id}.jsonl`), jsonLines(all.slice(count, count + 1)))
  },
  codex(folder, id, count) {
    const meta = { timestamp: at(0), type: 'session_meta', payload: { id, cwd: '/work', cli_version: '1' } }
    const user = { type: 'user_message', message: `Go ${count}` }
    const lines = [...(count === 0 ? [meta] : []), { timestamp: at(count), type: 'event_msg', payload: user }]
    appendFileSync(join(folder, `rollout-${id}.jsonl`), jsonLines(lines))
  },
  'gemini-cli'(folder, id, count) {
    const head = { sessionId: id, projectHash: 'h', startTime: at(0) }
    const user = { id: `m${count}`, timestamp: at(count), type: 'user', content: `Go ${count}` }
    appendFileSync(join(folder, 'session-1.jsonl'), jsonLines([...(count === 0 ? [head] : []), user]))
  },
  opencode(folder, id, count) {
    using db = new DatabaseSync(join(folder, 'opencode.db'))
    db.exec(`pragma journal_mode = wal;
      create table if not exists session (id primary key, parent_id, directory, title, version, time_created, time_updated);
      create table if not exists message (id primary key, session_id, time_created, time_updated, data);
      create table if not exists part (id primary key, message_id, session_id, time_created, time_updated, data)`)
    const now = Date.now()
    db.prepare('insert or replace into session values (?, null, ?, ?, ?, 1, ?)').run(id, '/w', 'T', '1', now)
    const info = JSON.stringify({ role: 'user', time: { created: 1000 + count } })
    db.prepare('insert into message values (?, ?, ?, ?, ?)').run(`m${count}`, id, count, now, info)
    const part = JSON.stringify({ type: 'text', text: `Go ${count}` })
    db.prepare('insert into part values (?, ?, ?, 1, ?, ?)').run(`p${count}`, `m${count}`, id, now, part)
  },
}

const recorded = [
  [claudeCode, 'transcript-mixed.1-first'],
  [codex, 'plain-text'],
  [opencode, 'plain-text'],
  [geminiCli, 'acp-thoughts'],
] as const

async function create({ sessions }: House, agent: Agent): Promise<SessionId> {
  return (await sessions.execute({ type: 'create', agent: agent.name, cwd: '/work' })).session
}

it.each(recorded)(
  '[A15] the transcript that $name writes for a session that runs here is not imported, whichever is seen first',
  { timeout: 120_000 },
  async (agent, recording) => {
    const folder = folderWith({ 'notes.txt': '' })
    // Learns the id of the agent's own session, which Dragoman does not know yet when the transcript appears.
    const rehearsal = replaying(agent, recording)
    const first = await openHouse([rehearsal.replay])
    const known = await create(first, agent)
    await first.prompt(known, 'Go')
    await rehearsal.speak(first, known)
    const own = async () => (await first.sessions.get(known)).agentSession ?? ''
    await expect.poll(own, timeout).not.toBe('')
    const id = await own()
    rehearsal.end()

    const show = replaying(agent, recording)
    const house = await openFollowing([show.replay], folder)
    const session = await create(house, agent)
    await house.prompt(session, 'Go')
    await show.prompted
    const write = writers[agent.name]
    write?.(folder, id, 0)
    // It is looked at again and again, for longer than a stranger's transcript has to wait.
    await expect.poll(() => house.looks(), timeout).toBeGreaterThan(4)
    expect(house.outcomes).toEqual([])
    await show.speak(house, session)
    await expect.poll(() => house.outcomes, timeout).toContain('elsewhere')
    write?.(folder, id, 1)
    show.end()
    await house.sessions.whenIdle(session)
    const listed = await house.sessions.list({ limit: 10 })
    expect(listed.sessions.map(each => each.session)).toEqual([session])
    for await (const found of agent.importer?.find(folder) ?? []) {
      const transcript = await found.read({ dataFolder: folder, skip: () => undefined })
      const source = { agent: agent.name, file: found.file, transcript }
      expect(await house.sessions.import(source)).toEqual({ session, outcome: 'elsewhere', lines: 0 })
      await house.sessions.execute({ type: 'delete', session })
      const again = async () => house.sessions.import(source)
      await expect.poll(again, timeout).toEqual({ session, outcome: 'deleted', lines: 0 })
    }
    expect(house.outcomes).not.toContain('new')
  },
)

it('[A15] a transcript of Claude Code that ran here over ACP, under another name, is not imported', async () => {
  const folder = folderWith({ 'notes.txt': '' })
  const id = '11111111-2222-4333-8444-555555555555'
  const over = Promise.withResolvers<void>()
  const puppet = createPuppet({
    async act({ say }) {
      say({ t: 'begin', agentSession: id })
      await over.promise
      say({ t: 'end' })
    },
  })
  const house = await openFollowing([puppet, claudeCode], folder)
  const session = await house.create()
  await house.prompt(session, 'Go')
  await expect.poll(async () => (await house.sessions.get(session)).agentSession, timeout).toBe(id)
  writeFileSync(join(folder, `${id}.jsonl`), jsonLines([claudeLines(id).prompt('Go')]))
  await expect.poll(() => house.outcomes, timeout).toEqual(['elsewhere'])
  over.resolve()
  const listed = await house.sessions.list({ limit: 10 })
  expect(listed.sessions.map(each => each.session)).toEqual([session])
})
