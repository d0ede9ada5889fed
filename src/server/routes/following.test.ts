import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { claudeCode } from '../../agents/claude-code/index.ts'
import { scripted } from '../../agents/scripted/index.ts'
import { memoryOfFollowing } from '../../sessions/import/following.ts'
import type { DragomanOptions } from '../create-dragoman.ts'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

const older = '11111111-2222-4333-8444-555555555555'
const newer = '66666666-7777-4888-9999-000000000000'

vi.setConfig({ testTimeout: 120_000 })

let count = 0

/** Writes a prompt to a transcript of Claude Code in the home folder of a server. */
function write({ root }: Pick<Opened, 'root'>, session: string, text: string): void {
  const folder = join(root, '.claude/projects/-work')
  mkdirSync(folder, { recursive: true })
  count += 1
  const message = { role: 'user', content: text }
  const facts = {
    parentUuid: null,
    sessionId: session,
    cwd: '/work',
    uuid: `u${count}`,
    timestamp: new Date(),
  }
  appendFileSync(join(folder, `${session}.jsonl`), `${JSON.stringify({ type: 'user', message, ...facts })}\n`)
}

const open = (more: Partial<DragomanOptions> = {}) =>
  openDragoman({ agents: [scripted, claudeCode], ...more })

/** On a quiet machine it takes less than 5 seconds. */
const within = { timeout: 30_000, interval: 50 }

const titles = async (server: Opened) =>
  (await server.call('listSessions', {})).json.sessions.map(({ title }) => title)

async function importAll(server: Opened) {
  const { json } = await server.call('startImport', { body: {} })
  const params = { import: json.import.id }
  const endedAt = async () => (await server.call('getImport', { params })).json.import.endedAt
  await expect.poll(endedAt, within).not.toBeNull()
}

const following = async (server: Opened) => (await server.call('listImports', {})).json.following

it(
  '[O1] follows transcripts after the first import, until a person turns it off',
  { timeout: 30_000 },
  async () => {
    await using server = await open()
    write(server, older, 'Before')
    expect(await following(server)).toEqual({ on: false, by: 'first-import' })
    await importAll(server)
    expect(await following(server)).toEqual({ on: true, by: 'first-import' })
    write(server, newer, 'After')
    await expect.poll(() => titles(server), within).toEqual(['After', 'Before'])
    const off = await server.call('changeImports', { body: { following: false } })
    expect(off.json).toEqual({ following: { on: false, by: 'person' } })
    const third = newer.replace('6', '7')
    write(server, third, 'Unseen')
    const on = await server.call('changeImports', { body: { following: true } })
    expect(on.json).toEqual({ following: { on: true, by: 'person' } })
    // What was written while it was off is new to it.
    await expect.poll(() => titles(server), within).toEqual(['Unseen', 'After', 'Before'])
  },
)

it('[O1] reads nothing before the first import, and nothing while the setting is off', async () => {
  for (const follow of [undefined, false]) {
    await using server = await open()
    await using quiet = await open({ importing: { env: { HOME: server.root }, follow } })
    write(server, older, 'Unseen')
    await using eager = await open({ importing: { env: { HOME: server.root }, follow: true } })
    write(server, newer, 'Seen')
    await expect.poll(() => titles(eager), within).toContain('Seen')
    expect(await titles(quiet)).toEqual([])
    expect((await following(quiet)).on).toBe(false)
  }
})

it('[O1] the setting takes precedence over a person', async () => {
  await using server = await open({ importing: { follow: false } })
  const { json } = await server.call('changeImports', { body: { following: true } })
  expect(json).toEqual({ following: { on: false, by: 'configuration' } })
})

it('[O1] remembers after a restart what it followed, and imports what was written meanwhile', async () => {
  const followingStore = memoryOfFollowing()
  await using home = await open()
  write(home, older, 'Before')
  {
    await using first = await open({ importing: { env: { HOME: home.root }, followingStore } })
    await importAll(first)
  }
  write(home, newer, 'Meanwhile')
  await using second = await open({ importing: { env: { HOME: home.root }, followingStore } })
  await expect.poll(() => titles(second), within).toContain('Meanwhile')
})

it('[O1] shows a session as live while its agent works on it in its own terminal, and refuses prompts', async () => {
  await using home = await open()
  const settings = { env: { HOME: home.root }, follow: true }
  await using live = await open({ importing: settings, roots: [home.root, '/work'] })
  write(home, newer, 'Working')
  const params = { session: newer }
  const shown = async () => (await live.call('getSession', { params })).json.inTerminal
  await expect.poll(shown, within).toBe(true)
  expect((await live.call('listSessions', {})).json.sessions[0]).toMatchObject({ inTerminal: true })
  const refused = await live.call('prompt', { params, body: { text: 'Me, too' } })
  expect([refused.status, JSON.parse(refused.text)]).toEqual([
    409,
    expect.objectContaining({
      code: 'session-busy',
      detail:
        'Claude Code is working on this session in its own terminal. End it there, or wait until it has been quiet ' +
        'for 30 seconds. Then send this again.',
    }),
  ])
})

it('[O1] a session is no longer live when its agent has been quiet for a while', async () => {
  const { createTerminals } = await import('../../sessions/import/terminals.ts')
  vi.useFakeTimers()
  const ended: string[] = []
  const terminals = createTerminals(Date.now, session => ended.push(session))
  terminals.wrote('s' as never, Date.now())
  terminals.wrote('old' as never, Date.now() - 60_000)
  vi.advanceTimersByTime(20_000)
  terminals.wrote('s' as never, Date.now())
  vi.advanceTimersByTime(20_000)
  expect([terminals.isWriting('s' as never), terminals.isWriting('old' as never)]).toEqual([true, false])
  vi.advanceTimersByTime(20_000)
  expect([terminals.isWriting('s' as never), ended]).toEqual([false, ['s']])
  vi.useRealTimers()
})
