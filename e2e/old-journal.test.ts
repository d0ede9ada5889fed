import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadAgents } from '../src/agents/index.ts'
import { verify } from '../src/journal/sqlite/verify.ts'
import type { SessionId } from '../src/protocol/ids.ts'
import { createDragoman, type Dragoman } from '../src/server/create-dragoman.ts'
import { compareTranslations } from '../src/sessions/view/compare-translations.ts'
import { openStore } from '../src/store/open-store.ts'
import { host, readEntries, readSession, type SessionReading } from './old-journal/read-session.ts'

/** A data folder that commit 08cb028 left, and what that version read from it; `old-journal/make.ts` made both. */
const recorded = join(import.meta.dirname, 'old-journal/08cb028')
const unpack = (file: string) => zstdDecompressSync(readFileSync(join(recorded, file)))
const readings = JSON.parse(unpack('readings.json.zst').toString()) as readonly SessionReading[]

/** The agent still ran in it when its server was killed: today's version closes it, and so adds to it. */
const running = 'scripted-running'

let folder: string
let store: Awaited<ReturnType<typeof openStore>>
let dragoman: Dragoman
const agents = await loadAgents()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-old-journal-'))
  for (const file of globSync('data/**/*.zst', { cwd: recorded })) {
    const to = join(folder, file.replace(/\.zst$/, ''))
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, unpack(file))
  }
  expect((await verify(join(folder, 'data'))).damage).toEqual([])
  store = await openStore({ folder: join(folder, 'data') })
  dragoman = await createDragoman({ store, agents, hosts: [host], roots: [folder], log: () => {} })
})

afterAll(async () => {
  await dragoman[Symbol.asyncDispose]()
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const finished = readings.filter(({ session }) => session !== running)

describe('a data folder of commit 08cb028', () => {
  it('[J9] has approvals, subagents, a branch, a merge, a rollback, imported transcripts and a failure', () => {
    const events = readings.flatMap(({ entries }) => entries.map(({ event }) => event))
    const types = new Set(events.map(({ type }) => type))
    expect(types).toContain('approval-answered')
    expect(types).toContain('session-branched')
    expect(types).toContain('interactions-merged')
    expect(types).toContain('manipulation-rolled-back')
    expect(types).toContain('session-deleted')
    expect(events.some(event => event.type === 'agent-connected' && event.readFrom !== undefined)).toBe(true)
    expect(JSON.stringify(events)).toContain('"type":"data-subagent"')
    expect(readings.flatMap(({ streams }) => Object.keys(streams)).length).toBeGreaterThan(15)
  })

  it.each(finished)('[J9] $session: entries, messages and streams are the same, byte for byte', async old => {
    const today = await readSession({ ...dragoman, journal: store.journal }, old.session)
    expect(today.entries.map(entry => JSON.stringify(entry))).toEqual(
      old.entries.map(entry => JSON.stringify(entry)),
    )
    expect(today.replies).toEqual(old.replies)
    expect(today.streams).toEqual(old.streams)
  })

  // The file lists what better translators made different on purpose since then: facts that an approval shows, the costs of Claude Code's
  // requests, the title of an OpenCode session, single requests and git branches. After another such change, look at the difference and run this test with `-u`.
  it('[A2] raw messages give the same chunks again, except where a translator was improved on purpose', async () => {
    const parts = { journal: store.journal, agents: new Map(agents.map(agent => [agent.name, agent])) }
    const differences: string[] = []
    for (const { session } of finished)
      for await (const { seq, now } of compareTranslations(parts, session as SessionId))
        differences.push(`${JSON.stringify({ session, seq, now })}\n`)
    await expect(differences.join('')).toMatchFileSnapshot(join(recorded, 'improved.jsonl'))
  })

  it('[J9] the session that was running keeps its entries and is closed as interrupted', async () => {
    const old = readings.find(({ session }) => session === running)?.entries ?? []
    const entries = await readEntries(store.journal, running)
    expect(entries.slice(0, old.length)).toEqual(old)
    expect(entries.slice(old.length).map(({ event }) => event)).toMatchObject([
      { type: 'agent-exited' },
      { type: 'interaction-ended' },
    ])
  })
})
