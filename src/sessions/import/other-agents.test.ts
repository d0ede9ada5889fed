import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Agent } from '../../agents/agent.ts'
import { codex } from '../../agents/codex/index.ts'
import { geminiCli } from '../../agents/gemini-cli/index.ts'
import { opencode } from '../../agents/opencode/index.ts'
import { folderWith, jsonLines, openImports, readTranscripts, wordsOf } from './transcripts.fixture.ts'

async function imported(agent: Agent, folder: string) {
  const { transcripts, skipped } = await readTranscripts(agent, folder)
  const house = await openImports(agent)
  const [transcript] = transcripts
  if (transcript === undefined) throw new Error('There is no transcript.')
  const result = await house.import(transcript)
  const again = await house.import(transcript)
  expect(again).toMatchObject({ outcome: 'unchanged', lines: 0 })
  expect(await house.differences(result.session)).toBe(0)
  const messages = await house.messages(result.session)
  const details = await house.sessions.get(result.session)
  const ends = await house.events(result.session, 'interaction-ended')
  return { house, skipped, result, messages, details, outcomes: ends.map(({ outcome }) => outcome) }
}

const at = (second: number) => new Date(1_770_000_000_000 + second * 1000).toISOString()

const rollout = [
  { timestamp: at(0), type: 'session_meta', payload: { id: 'cx-1', cwd: '/work', cli_version: '0.1' } },
  { timestamp: at(1), type: 'turn_context', payload: { model: 'gpt-x' } },
  {
    timestamp: at(1),
    type: 'response_item',
    payload: {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: '<environment_context>x</environment_context>' }],
    },
  },
  {
    timestamp: at(2),
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Run it' }] },
  },
  { timestamp: at(2), type: 'event_msg', payload: { type: 'user_message', message: 'Run it' } },
  {
    timestamp: at(3),
    type: 'response_item',
    payload: { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
  },
  { timestamp: at(3), type: 'event_msg', payload: { type: 'agent_reasoning', text: 'Hm.' } },
  {
    timestamp: at(4),
    type: 'response_item',
    payload: { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'call_1' },
  },
  {
    timestamp: at(5),
    type: 'response_item',
    payload: { type: 'function_call_output', call_id: 'call_1', output: 'a\nb' },
  },
  {
    timestamp: at(5),
    type: 'event_msg',
    payload: {
      type: 'token_count',
      info: { total_token_usage: { input_tokens: 120, cached_input_tokens: 20, output_tokens: 30 } },
    },
  },
  {
    timestamp: at(6),
    type: 'response_item',
    payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
  },
  { timestamp: at(6), type: 'event_msg', payload: { type: 'task_complete' } },
  { timestamp: at(7), type: 'event_msg', payload: { type: 'user_message', message: 'Again' } },
  { timestamp: at(8), type: 'event_msg', payload: { type: 'turn_aborted', reason: 'interrupted' } },
]

describe('[A15] rollouts of Codex', () => {
  it('become sessions without duplicates', async () => {
    const folder = folderWith({ '2026/rollout-x-cx-1.jsonl': jsonLines(rollout) })
    const { messages, details, outcomes } = await imported(codex, folder)
    expect(wordsOf(messages.get(null))).toEqual([
      'user: Run it',
      'thinks: Hm.',
      'shell: output-available',
      'assistant: Done.',
      'user: Again',
    ])
    expect(details).toMatchObject({ session: 'cx-1', cwd: '/work', model: 'gpt-x', title: 'Run it' })
    expect(details.tokens).toEqual({ input: 100, output: 30, cacheRead: 20, cacheWrite: 0 })
    expect(outcomes).toEqual(['finished', 'interrupted'])
  })

  it('of the oldest format, without envelopes, are read; files of other programs are ignored', async () => {
    const bare = rollout.flatMap(({ type, payload }) => (type === 'response_item' ? [payload] : []))
    const meta = { id: 'cx-old', timestamp: at(0), instructions: null }
    const folder = folderWith({ 'a.jsonl': jsonLines([meta, ...bare]), 'b.jsonl': '{"type":"x"}\n' })
    const { messages, result } = await imported(codex, folder)
    expect(result.session).toBe('cx-old')
    expect(wordsOf(messages.get(null))).toContain('user: Run it')
  })
})

const header = { sessionId: 'ge-1', projectHash: 'abc', startTime: at(0), kind: 'main' }
const call = { id: 'c1', name: 'shell', args: { command: 'ls' }, status: 'executing' }
const model = { id: 'm2', timestamp: at(2), type: 'gemini', content: '', model: 'gemini-x' }
const chat = [
  header,
  { id: 'm1', timestamp: at(1), type: 'user', content: [{ text: 'List' }] },
  { $set: { lastUpdated: at(1) } },
  { ...model, thoughts: [{ subject: 'Plan', description: 'ls' }], toolCalls: [call] },
  {
    ...model,
    thoughts: [{ subject: 'Plan', description: 'ls' }],
    toolCalls: [
      {
        ...call,
        status: 'success',
        result: [{ functionResponse: { id: 'c1', response: { output: 'a' } } }],
      },
    ],
    tokens: { input: 10, output: 5, cached: 4, thoughts: 1, total: 16 },
  },
  { id: 'm3', timestamp: at(3), type: 'gemini', content: 'One file.', model: 'gemini-x' },
  { id: 'm4', timestamp: at(4), type: 'user', content: 'More' },
  { id: 'm5', timestamp: at(5), type: 'info', content: 'Request cancelled.' },
]
const told = [
  'user: List',
  'thinks: **Plan**\nls',
  'shell: output-available',
  'assistant: One file.',
  'user: More',
]

describe('[A15] chats of Gemini CLI', () => {
  it('become sessions; a message that is written twice is imported once', async () => {
    const folder = folderWith({
      'ws/.project_root': '/work\n',
      'ws/chats/session-2026-ge-1.jsonl': jsonLines(chat),
    })
    const { messages, details, outcomes } = await imported(geminiCli, folder)
    expect(wordsOf(messages.get(null))).toEqual(told)
    expect(details).toMatchObject({ session: 'ge-1', cwd: '/work', model: 'gemini-x' })
    expect(details.tokens).toEqual({ input: 6, output: 6, cacheRead: 4, cacheWrite: 0 })
    expect(outcomes).toEqual(['finished', 'interrupted'])
  })

  it('of the older format, one object that is rewritten, can grow', async () => {
    const messages = chat.slice(1).filter(line => 'id' in line)
    const older = (count: number) =>
      folderWith({ 'c.json': JSON.stringify({ ...header, messages: messages.slice(0, count) }) })
    const house = await openImports(geminiCli)
    for (const count of [2, messages.length])
      for (const each of (await readTranscripts(geminiCli, older(count))).transcripts)
        await house.import(each)
    expect(wordsOf((await house.messages('ge-1' as never)).get(null))).toEqual(told)
  })
})

const info = (id: string, role: string, more: object = {}) => ({ id, sessionID: 'ses_1', role, ...more })
const messages = [
  info('msg_1', 'user', { time: { created: 1000 } }),
  info('msg_2', 'assistant', { time: { created: 2000, completed: 9000 }, providerID: 'p', modelID: 'm' }),
]
const tool = {
  type: 'tool',
  tool: 'bash',
  callID: 'call_1',
  state: { status: 'completed', input: { command: 'ls' }, output: 'a', title: 'ls', metadata: {} },
}
const finish = {
  type: 'step-finish',
  reason: 'stop',
  cost: 0.5,
  tokens: { input: 7, output: 3, reasoning: 0, cache: { read: 0, write: 0 } },
}
const parts = [
  ['msg_1', { type: 'text', text: 'List' }],
  ['msg_2', { type: 'step-start' }],
  ['msg_2', { type: 'reasoning', text: 'Hm.', time: { start: 2500, end: 2600 } }],
  ['msg_2', tool],
  ['msg_2', { type: 'text', text: 'One file.', time: { start: 3000, end: 3100 } }],
  ['msg_2', finish],
] as const

function database(folder: string, end: number): void {
  const db = new DatabaseSync(join(folder, 'opencode.db'))
  db.exec(`create table if not exists session (id, parent_id, directory, title, version, time_created);
    create table if not exists message (id primary key, session_id, time_created, data);
    create table if not exists part (id primary key, message_id, data);
    delete from session; insert into session values ('ses_1', null, '/work', 'A title', '1', 1)`)
  for (const { id, sessionID: _, ...data } of messages)
    db.prepare('insert or replace into message values (?, ?, 1, ?)').run(id, 'ses_1', JSON.stringify(data))
  for (const [index, [message, data]] of parts.slice(0, end).entries())
    db.prepare('insert or replace into part values (?, ?, ?)').run(
      `prt_${index}`,
      message,
      JSON.stringify(data),
    )
  db.close()
}

const listed = ['user: List', 'thinks: Hm.', 'bash: output-available', 'assistant: One file.']

describe('[A15] sessions of OpenCode', () => {
  it('in a database are imported, and can grow', async () => {
    const folder = folderWith({ 'notes.txt': '' })
    database(folder, 3)
    const first = await imported(opencode, folder)
    database(folder, parts.length)
    const [transcript] = (await readTranscripts(opencode, folder)).transcripts
    if (transcript === undefined) throw new Error('There is no transcript.')
    expect(await first.house.import(transcript)).toMatchObject({ outcome: 'grown', lines: 3 })
    expect(wordsOf((await first.house.messages(first.result.session)).get(null))).toEqual(listed)
    const details = await first.house.sessions.get(first.result.session)
    expect(details).toMatchObject({ title: 'A title', cwd: '/work', model: 'p/m', cost: 0.5 })
  })

  it('in files of older versions are imported', async () => {
    const session = { id: 'ses_1', directory: '/work', title: 'A title', version: '0', time: { created: 1 } }
    const folder = folderWith({
      'storage/session/project/ses_1.json': JSON.stringify(session),
      ...Object.fromEntries(
        messages.map(each => [`storage/message/ses_1/${each.id}.json`, JSON.stringify(each)]),
      ),
      ...Object.fromEntries(
        parts.map(([messageID, data], index) => [
          `storage/part/${messageID}/prt_${index}.json`,
          JSON.stringify({ id: `prt_${index}`, sessionID: 'ses_1', messageID, ...data }),
        ]),
      ),
    })
    const { messages: kept } = await imported(opencode, folder)
    expect(wordsOf(kept.get(null))).toEqual(listed)
  })
})
