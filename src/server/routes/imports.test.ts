import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { claudeCode } from '../../agents/claude-code/index.ts'
import { scripted } from '../../agents/scripted/index.ts'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

const older = '11111111-2222-4333-8444-555555555555'
const newer = '66666666-7777-4888-9999-000000000000'

/** A transcript of Claude Code in the home folder of a server; returns its file. */
function leave({ root }: Opened, session: string, text: string, day: string): string {
  const folder = join(root, '.claude/projects/-work')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${session}.jsonl`)
  const at = new Date(`${day}T04:05:06.000Z`)
  const message = { id: session, role: 'user', content: [{ type: 'text', text }] }
  const facts = { parentUuid: null, sessionId: session, cwd: '/work', uuid: session, timestamp: at }
  writeFileSync(file, `${JSON.stringify({ type: 'user', message, ...facts })}\n`)
  utimesSync(file, at, at)
  return file
}

const open = () => openDragoman({ agents: [scripted, claudeCode] })

async function ended(server: Opened, id: string) {
  const get = async () => (await server.call('getImport', { params: { import: id } })).json
  await expect.poll(async () => (await get()).import.endedAt).not.toBeNull()
  return get()
}

it('[O1] lists nothing where agents left nothing', async () => {
  await using server = await open()
  expect((await server.call('listImports', {})).json).toEqual({
    found: [],
    running: null,
    imports: [],
    following: { on: false, by: 'first-import' },
  })
})

it('[O1] imports what agents left in the background, newest first, and lists how many of it are sessions', async () => {
  await using server = await open()
  const files = [
    leave(server, older, 'Once upon a time', '2025-03-01'),
    leave(server, newer, 'Today', '2026-02-03'),
  ]
  const before = (await server.call('listImports', {})).json
  const days = { from: Date.parse('2025-03-01T04:05:06Z'), to: Date.parse('2026-02-03T04:05:06Z') }
  expect(before.found).toMatchObject([{ agent: 'claude-code', sessions: 2, ...days, imported: 0 }])
  expect(before.found[0]?.bytes).toBeGreaterThan(100)

  const started = await server.call('startImport', { body: {} })
  expect(started.status).toBe(202)
  const { import: progress, notes } = await ended(server, started.json.import.id)
  expect(progress).toMatchObject({
    total: 2,
    done: 2,
    lines: 2,
    failed: 0,
    outcomes: { new: 2 },
    failure: null,
  })
  expect(notes.map(note => [note.type, note.file])).toEqual(
    files.toReversed().map(file => ['imported', file]),
  )

  const after = (await server.call('listImports', {})).json
  expect(after.found).toMatchObject([{ sessions: 2, imported: 2 }])
  expect([after.running, after.imports[0]]).toEqual([null, progress])
  const { sessions } = (await server.call('listSessions', {})).json
  expect(sessions.map(({ id, title }) => [id, title])).toEqual([
    [newer, 'Today'],
    [older, 'Once upon a time'],
  ])
  const entries = await server.send(`/api/sessions/${older}/entries?after=0`)
  const { entries: all } = (await entries.json()) as { readonly entries: readonly { readonly at: number }[] }
  expect(new Set(all.map(({ at }) => at))).toEqual(new Set([days.from]))
})

it('[O1] an import can be paused and continued', async () => {
  await using server = await open()
  leave(server, older, 'Once upon a time', '2025-03-01')
  const { import: started } = (await server.call('startImport', { body: {} })).json
  const params = { import: started.id }
  const paused = (await server.call('changeImport', { params, body: { paused: true } })).json.import
  expect([paused.id, paused.reasons]).toEqual([started.id, []])
  await server.call('changeImport', { params, body: { paused: false } })
  expect((await ended(server, started.id)).import).toMatchObject({ done: 1, paused: false })
})

it('[O1] imports one file or folder, and adds nothing when it is asked again', async () => {
  await using server = await open()
  const path = leave(server, older, 'Hello', '2026-01-01')
  const outcomes = []
  for (const body of [{ path }, { path }, { agents: ['claude-code'], path: join(server.root, '.claude') }]) {
    const { json } = await server.call('startImport', { body })
    outcomes.push((await ended(server, json.import.id)).import.outcomes)
  }
  expect(outcomes).toEqual([{ new: 1 }, { unchanged: 1 }, { unchanged: 1 }])
})

it('[R2] refuses unknown agents, paths that are not full, and unknown imports, each with a sentence', async () => {
  await using server = await open()
  const refused = async (reply: Promise<{ readonly status: number; readonly text: string }>) => {
    const { status, text } = await reply
    return [status, (JSON.parse(text) as { readonly detail: string }).detail]
  }
  expect(await refused(server.call('startImport', { body: { agents: ['scripted'] } }))).toEqual([
    404,
    'Transcripts of "scripted" cannot be imported. Supported agents: claude-code.',
  ])
  expect(await refused(server.call('startImport', { body: { path: 'here' } }))).toEqual([
    400,
    expect.stringContaining('must be a full path'),
  ])
  expect(await refused(server.call('stopImport', { params: { import: 'x' } }))).toEqual([
    404,
    'There is no import "x". GET /api/imports lists the latest ones.',
  ])
  const missing = await server.call('startImport', { body: { path: join(server.root, 'nowhere') } })
  const { import: progress, notes } = await ended(server, missing.json.import.id)
  expect([progress.total, progress.failed, notes]).toEqual([
    0,
    1,
    [
      expect.objectContaining({
        type: 'unread',
        reason: expect.stringContaining('Check the path') as string,
      }),
    ],
  ])
})
