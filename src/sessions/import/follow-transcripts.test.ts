import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, vi } from 'vitest'
import { claudeCode } from '../../agents/claude-code/index.ts'
import { codex } from '../../agents/codex/index.ts'
import { geminiCli } from '../../agents/gemini-cli/index.ts'
import { opencode } from '../../agents/opencode/index.ts'
import { claudeLines } from './claude-lines.fixture.ts'
import { openFollowing, type FollowingHouse } from './following.fixture.ts'
import { folderWith, jsonLines, messagesIn, wordsOf } from './transcripts.fixture.ts'

/** On a quiet machine it takes less than 5 seconds. */
const within = { timeout: 30_000, interval: 50 }

const shows = (house: FollowingHouse, session: string, words: readonly string[]) =>
  expect.poll(() => house.words(session), within).toEqual(words)

vi.setConfig({ testTimeout: 120_000 })

const other = '66666666-7777-4888-9999-000000000000'

it('[O1] shows a new session of Claude Code, and each line that is added', async () => {
  const folder = folderWith({ 'readme.txt': '' })
  const house = await openFollowing([claudeCode], folder)
  const l = claudeLines()
  const file = join(folder, '-work', `${l.session}.jsonl`)
  mkdirSync(dirname(file))
  writeFileSync(file, jsonLines([l.prompt('Hello')]))
  await shows(house, l.session, ['user: Hello'])
  appendFileSync(file, jsonLines([l.text('Hi.')]))
  await shows(house, l.session, ['user: Hello', 'assistant: Hi.'])
  appendFileSync(file, jsonLines([l.call('c1'), l.result('c1'), l.text('Done.'), l.prompt('More')]))
  const all = ['user: Hello', 'assistant: Hi.', 'Bash: output-available', 'assistant: Done.', 'user: More']
  await shows(house, l.session, all)
  const details = await house.sessions.get(l.session as never)
  expect(details).toMatchObject({ agent: 'claude-code', title: 'Hello', cwd: '/work', interactions: 2 })
  expect(house.reported).toEqual([])
})

it('[O1] waits for the rest of a line that is half written, and loses and doubles nothing', async () => {
  const l = claudeLines()
  const [first, second] = [jsonLines([l.prompt('One')]), jsonLines([l.text('A long answer.')])]
  const folder = folderWith({ [`${l.session}.jsonl`]: first + second.slice(0, 40) })
  const file = join(folder, `${l.session}.jsonl`)
  const house = await openFollowing([claudeCode], folder)
  await shows(house, l.session, ['user: One'])
  appendFileSync(file, second.slice(40, -1))
  // Only the newline is missing.
  await shows(house, l.session, ['user: One', 'assistant: A long answer.'])
  appendFileSync(file, `\n${jsonLines([l.prompt('Two')])}`)
  await shows(house, l.session, ['user: One', 'assistant: A long answer.', 'user: Two'])
  expect(house.reported).toEqual([])
})

it('[O1] a file that is cut, written again, renamed or deleted keeps its session, and doubles nothing', async () => {
  const l = claudeLines()
  const lines = [l.prompt('One'), l.text('A'), l.prompt('Two'), l.text('B')]
  const folder = folderWith({ [`${l.session}.jsonl`]: jsonLines(lines) })
  const file = join(folder, `${l.session}.jsonl`)
  const house = await openFollowing([claudeCode], folder)
  const before = ['user: One', 'assistant: A', 'user: Two', 'assistant: B']
  await shows(house, l.session, before)
  truncateSync(file, jsonLines(lines.slice(0, 1)).length)
  appendFileSync(file, jsonLines([l.prompt('Three')]))
  await shows(house, l.session, [...before, 'user: Three'])
  writeFileSync(`${file}.new`, jsonLines([...lines, l.prompt('Four')]))
  renameSync(`${file}.new`, file)
  await shows(house, l.session, [...before, 'user: Three', 'user: Four'])
  mkdirSync(join(folder, 'elsewhere'))
  renameSync(file, join(folder, 'elsewhere', `${l.session}.jsonl`))
  appendFileSync(join(folder, 'elsewhere', `${l.session}.jsonl`), jsonLines([l.prompt('Five')]))
  await shows(house, l.session, [...before, 'user: Three', 'user: Four', 'user: Five'])
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  const again = claudeLines(other)
  writeFileSync(join(folder, `${other}.jsonl`), jsonLines([again.prompt('Anew')]))
  await expect.poll(() => house.words(other), within).toEqual(['user: Anew'])
  expect(await house.words(l.session)).toHaveLength(7)
})

it('[O1] follows two sessions at once, one with a subagent that has its own file', async () => {
  const [one, two] = [claudeLines(), claudeLines(other)]
  const folder = folderWith({
    [`${one.session}.jsonl`]: jsonLines([one.prompt('Delegate'), one.call('t1', 'Task', { prompt: 'Look' })]),
    [`${other}.jsonl`]: jsonLines([two.prompt('Other')]),
  })
  const house = await openFollowing([claudeCode], folder)
  await shows(house, other, ['user: Other'])
  const side = join(folder, one.session, 'subagents', 'agent-a1.jsonl')
  mkdirSync(dirname(side), { recursive: true })
  const aside = { isSidechain: true, agentId: 'a1' }
  writeFileSync(side.replace('.jsonl', '.meta.json'), '{"toolUseId":"t1"}')
  writeFileSync(side, jsonLines([one.user('Look', aside)]))
  for (let count = 0; count < 5; count++) {
    appendFileSync(side, jsonLines([one.text(`Side ${count}`, aside)]))
    appendFileSync(join(folder, `${other}.jsonl`), jsonLines([two.text(`Other ${count}`)]))
    await expect.poll(() => house.words(other), within).toContain(`assistant: Other ${count}`)
    const raws = async () => JSON.stringify(await house.entries(one.session as never))
    await expect.poll(raws, within).toContain(`Side ${count}`)
  }
  appendFileSync(join(folder, `${one.session}.jsonl`), jsonLines([one.result('t1'), one.text('Done.')]))
  await expect.poll(() => house.words(one.session), within).toContain('assistant: Done.')
  const entries = await house.entries(one.session as never)
  const threads = messagesIn(entries)
  expect([...threads.keys()]).toHaveLength(2)
  const [, aside1 = []] = [...threads.values()].map(wordsOf)
  expect(aside1.filter(words => words.startsWith('assistant'))).toEqual(
    [0, 1, 2, 3, 4].map(count => `assistant: Side ${count}`),
  )
})

it('[O1] leaves alone what changed before it began, until it changes again', async () => {
  const [old, fresh] = [claudeLines(), claudeLines(other)]
  const folder = folderWith({
    [`${old.session}.jsonl`]: jsonLines([old.prompt('Long ago')]),
    [`${other}.jsonl`]: jsonLines([fresh.prompt('Long ago, too')]),
  })
  // The files were copied here a moment ago, but the agent wrote them before.
  const days = new Date(Date.now() - 5 * 24 * 3_600_000)
  for (const name of [old.session, other]) utimesSync(join(folder, `${name}.jsonl`), days, days)
  const house = await openFollowing([claudeCode], folder, { since: Date.now() - 3_600_000 })
  appendFileSync(join(folder, `${other}.jsonl`), jsonLines([fresh.text('Now')]))
  await shows(house, other, ['user: Long ago, too', 'assistant: Now'])
  expect(await house.words(old.session)).toEqual([])
})

const at = (second: number) => new Date(1_770_000_000_000 + second * 1000).toISOString()
const event = (second: number, type: string, more: object) => ({
  timestamp: at(second),
  type: 'event_msg',
  payload: { type, ...more },
})
const meta = (id: string, more: object = {}) => ({
  timestamp: at(0),
  type: 'session_meta',
  payload: { id, cwd: '/work', cli_version: '0.166.0', ...more },
})
const says = (second: number, text: string) => ({
  timestamp: at(second),
  type: 'response_item',
  payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
})

it('[O1] follows a rollout of Codex, and its subagent in the folder of another day', async () => {
  const folder = folderWith({
    '2026/03/01/rollout-cx-1.jsonl': jsonLines([meta('cx-1'), event(1, 'user_message', { message: 'Go' })]),
  })
  const file = join(folder, '2026/03/01/rollout-cx-1.jsonl')
  const house = await openFollowing([codex], folder)
  await shows(house, 'cx-1', ['user: Go'])
  appendFileSync(file, jsonLines([says(2, 'Going.')]))
  await shows(house, 'cx-1', ['user: Go', 'assistant: Going.'])
  const child = join(folder, '2026/03/02/rollout-cx-2.jsonl')
  mkdirSync(dirname(child))
  writeFileSync(child, jsonLines([meta('cx-2', { parent_thread_id: 'cx-1' }), says(3, 'The child.')]))
  const raws = async () => JSON.stringify(await house.entries('cx-1' as never))
  await expect.poll(raws, within).toContain('The child.')
  appendFileSync(child, jsonLines([says(4, 'More of it.')]))
  appendFileSync(file, jsonLines([event(5, 'user_message', { message: 'On' }), says(6, 'Done.')]))
  await expect.poll(raws, within).toContain('More of it.')
  const said = async () => (await house.words('cx-1')).filter(words => /^(user|assistant): /.test(words))
  await expect.poll(said, within).toEqual(['user: Go', 'assistant: Going.', 'user: On', 'assistant: Done.'])
  expect((await house.sessions.list({ limit: 10 })).sessions.map(({ session }) => session)).toEqual(['cx-1'])
})

it('[O1] follows chats of Gemini CLI: lines that are added, and a file that is written again as a whole', async () => {
  const folder = folderWith({ 'p/logs.json': '[]' })
  const house = await openFollowing([geminiCli], folder)
  const chats = join(folder, 'p', 'chats')
  mkdirSync(chats)
  const header = (id: string) => ({ sessionId: id, projectHash: 'h', startTime: at(0) })
  const user = { id: 'm1', timestamp: at(1), type: 'user', content: 'Hello' }
  const answer = { id: 'm2', timestamp: at(2), type: 'gemini', content: 'Hi.', model: 'g' }
  const more = { id: 'm3', timestamp: at(3), type: 'user', content: 'More' }
  const lines = join(chats, 'session-1.jsonl')
  writeFileSync(lines, jsonLines([header('ge-1'), user]))
  await shows(house, 'ge-1', ['user: Hello'])
  appendFileSync(lines, jsonLines([answer]))
  appendFileSync(lines, jsonLines([more]))
  await shows(house, 'ge-1', ['user: Hello', 'assistant: Hi.', 'user: More'])
  const whole = join(chats, 'session-2.json')
  const write = (...messages: readonly object[]) =>
    writeFileSync(whole, JSON.stringify({ ...header('ge-2'), messages }))
  write(user)
  await shows(house, 'ge-2', ['user: Hello'])
  write(user, answer)
  await shows(house, 'ge-2', ['user: Hello', 'assistant: Hi.'])
  // It is cut for a moment while it is written again.
  writeFileSync(whole, '{"sessionId":"ge-2","projectHash":"h","mess')
  write(user, answer, more)
  await shows(house, 'ge-2', ['user: Hello', 'assistant: Hi.', 'user: More'])
})

it('[O1] follows the database of OpenCode while OpenCode writes it, and writes nothing there', async () => {
  const folder = folderWith({ 'log/x.log': '' })
  const db = new DatabaseSync(join(folder, 'opencode.db'))
  db.exec(`pragma journal_mode = wal;
    create table session (id text primary key, parent_id, directory, title, version, time_created, time_updated);
    create table message (id text primary key, session_id, time_created, time_updated, data);
    create table part (id text primary key, message_id, session_id, time_created, time_updated, data)`)
  let count = 0
  const session = (id: string) =>
    db
      .prepare('insert into session values (?, null, ?, ?, ?, ?, ?)')
      .run(id, '/work', `Title of ${id}`, '1', Date.now(), Date.now())
  const say = (id: string, role: string, text: string) => {
    count += 1
    const now = Date.now()
    const data = JSON.stringify({ role, time: { created: 1000 + count } })
    db.prepare('insert into message values (?, ?, ?, ?, ?)').run(`msg_${count}`, id, count, now, data)
    const part = JSON.stringify({ type: 'text', text, time: { start: 1000 + count, end: 1000 + count } })
    db.prepare('insert into part values (?, ?, ?, ?, ?, ?)').run(
      `p${count}`,
      `msg_${count}`,
      id,
      1,
      now,
      part,
    )
  }
  session('ses_1')
  say('ses_1', 'user', 'List')
  const house = await openFollowing([opencode], folder)
  await shows(house, 'ses_1', ['user: List'])
  say('ses_1', 'assistant', 'One file.')
  await shows(house, 'ses_1', ['user: List', 'assistant: One file.'])
  session('ses_2')
  say('ses_2', 'user', 'Another')
  await shows(house, 'ses_2', ['user: Another'])
  say('ses_1', 'user', 'More')
  await shows(house, 'ses_1', ['user: List', 'assistant: One file.', 'user: More'])
  expect((await house.sessions.get('ses_2' as never)).title).toBe('Title of ses_2')
  db.exec('pragma wal_checkpoint(truncate); pragma journal_mode = wal')
  db.close()
  const left = readdirSync(folder).toSorted()
  const before = readFileSync(join(folder, 'opencode.db'))
  for await (const found of opencode.importer?.find(folder) ?? [])
    await found.read({ dataFolder: folder, skip() {} })
  expect(readdirSync(folder).toSorted()).toEqual(left)
  expect(readFileSync(join(folder, 'opencode.db')).equals(before)).toBe(true)
  expect(house.reported).toEqual([])
})

it('[O1] imports what was written while it was not running, and nothing twice', async () => {
  const l = claudeLines()
  const folder = folderWith({ [`${l.session}.jsonl`]: jsonLines([l.prompt('One'), l.text('A')]) })
  const file = join(folder, `${l.session}.jsonl`)
  const first = await openFollowing([claudeCode], folder)
  await shows(first, l.session, ['user: One', 'assistant: A'])
  await expect.poll(() => first.done.length, within).toBeGreaterThan(0)
  await first.stop()
  appendFileSync(file, jsonLines([l.prompt('Two')]))
  const house = await first.reopen()
  const second = await openFollowing([claudeCode], folder, { since: first.done.at(-1) ?? 0, house })
  await shows(second, l.session, ['user: One', 'assistant: A', 'user: Two'])
  appendFileSync(file, jsonLines([l.text('B')]))
  await shows(second, l.session, ['user: One', 'assistant: A', 'user: Two', 'assistant: B'])
})
