import { describe, expect, it } from 'vitest'
import type { Agent } from '../../agents/agent.ts'
import { claudeCode } from '../../agents/claude-code/index.ts'
import { codex } from '../../agents/codex/index.ts'
import { geminiCli } from '../../agents/gemini-cli/index.ts'
import type { Transcript } from '../../agents/importer.ts'
import { opencode } from '../../agents/opencode/index.ts'
import { createThinking } from '../../projections/thinking.ts'
import { createToolCalls } from '../../projections/tool-calls.ts'
import type { Entry } from '../../protocol/entry.ts'
import { claudeLines } from './claude-lines.fixture.ts'
import { folderWith, jsonLines, openImports, readTranscripts } from './transcripts.fixture.ts'

const base = 1_770_000_000_000
const at = (second: number) => new Date(base + second * 1000).toISOString()
/** Seconds since the first line. */
const seconds = (time: number) => (time - base) / 1000

async function read(agent: Agent, files: Readonly<Record<string, string>>): Promise<Transcript> {
  const [transcript] = (await readTranscripts(agent, folderWith(files))).transcripts
  if (transcript === undefined) throw new Error('There is no transcript.')
  return transcript
}

async function importedEntries(agent: Agent, files: Readonly<Record<string, string>>) {
  const transcript = await read(agent, files)
  const house = await openImports(agent)
  const { session } = await house.import(transcript)
  return { house, session, entries: await house.entries(session) }
}

const timesOf = (entries: readonly Entry[], ...types: readonly Entry['event']['type'][]) =>
  entries.filter(({ event }) => types.includes(event.type)).map(entry => seconds(entry.at))

/** Each tool call with the second in which it began and how many it took. */
function callsIn(entries: readonly Entry[]) {
  const calls = createToolCalls()
  for (const entry of entries) calls.apply(entry)
  return calls.view().map(({ toolCallId, start, duration }) => ({
    call: toolCallId,
    began: seconds(start.at),
    took: (duration ?? Number.NaN) / 1000,
  }))
}

describe('[A15] an imported session has the times of its transcript', () => {
  it('Claude Code: each entry has the time of its line, and each call its duration', async () => {
    const { prompt, thinking, call, result, text, session } = claudeLines()
    const lines = [
      prompt('List'), // second 1
      thinking('Hm.'), // second 2
      call('c1'), // second 3
      { ...result('c1'), timestamp: at(63) },
      { ...text('One file.'), timestamp: at(70) },
      { ...prompt('More'), timestamp: at(600) },
      { ...text('No more.'), timestamp: at(605) },
    ]
    const { entries, house } = await importedEntries(claudeCode, { [`${session}.jsonl`]: jsonLines(lines) })
    expect(timesOf(entries, 'session-created')).toEqual([1])
    expect(timesOf(entries, 'interaction-started')).toEqual([1, 600])
    expect(timesOf(entries, 'interaction-ended')).toEqual([70, 605])
    expect(timesOf(entries, 'agent-spoke')).toEqual([2, 3, 63, 70, 605])
    expect(callsIn(entries)).toEqual([{ call: 'c1', began: 3, took: 60 }])
    const details = await house.sessions.get(entries[0]?.session ?? ('' as never))
    expect([details.createdAt, details.updatedAt].map(seconds)).toEqual([1, 605])
  })

  it('a line without a time, or with an older or a future time, gets the time of the line before', async () => {
    const { prompt, call, result, text, session } = claudeLines()
    const { timestamp: _, ...undated } = call('c2')
    const lines = [
      { ...prompt('List'), timestamp: at(10) },
      { ...call('c1'), timestamp: at(20) },
      { ...result('c1'), timestamp: at(15) },
      undated,
      { ...result('c2'), timestamp: at(30) },
      { ...text('Done.'), timestamp: new Date(Date.now() + 3_600_000).toISOString() },
    ]
    const { entries } = await importedEntries(claudeCode, { [`${session}.jsonl`]: jsonLines(lines) })
    const spoken = entries.filter(({ event }) => event.type === 'agent-spoke').map(entry => entry.at)
    expect(spoken.slice(0, 4).map(seconds)).toEqual([20, 20, 20, 30])
    expect(spoken.at(-1)).toBeLessThanOrEqual(Date.now())
    expect(entries.map(entry => entry.at)).toEqual(entries.map(entry => entry.at).toSorted((a, b) => a - b))
  })

  it('a future time does not change the times of later lines', async () => {
    const { prompt, text, session } = claudeLines()
    const future = '2999-01-01T00:00:00.000Z'
    const lines = [
      { ...prompt('One'), timestamp: future },
      { ...text('1'), timestamp: at(20) },
      { ...prompt('Two'), timestamp: future },
      { ...text('2'), timestamp: at(40) },
      { ...prompt('Three'), timestamp: at(50) },
    ]
    const { entries } = await importedEntries(claudeCode, { [`${session}.jsonl`]: jsonLines(lines) })
    expect(timesOf(entries, 'session-created')).toEqual([20])
    expect(timesOf(entries, 'interaction-started')).toEqual([20, 20, 50])
    expect(timesOf(entries, 'agent-spoke')).toEqual([20, 40])
  })

  it('Claude Code: lines that are added later keep their times', async () => {
    const { prompt, text, session } = claudeLines()
    const lines = [prompt('One'), text('1'), { ...prompt('Two'), timestamp: at(50) }, text('2')]
    const name = `${session}.jsonl`
    const { house, session: id } = await importedEntries(claudeCode, { [name]: jsonLines(lines.slice(0, 2)) })
    expect(await house.import(await read(claudeCode, { [name]: jsonLines(lines) }))).toMatchObject({
      outcome: 'grown',
    })
    expect(timesOf(await house.entries(id), 'interaction-started')).toEqual([1, 50])
  })

  it('Codex: each call has its duration', async () => {
    const item = (second: number, payload: object) => ({
      timestamp: at(second),
      type: 'response_item',
      payload,
    })
    const { entries } = await importedEntries(codex, {
      'rollout-x.jsonl': jsonLines([
        { timestamp: at(0), type: 'session_meta', payload: { id: 'cx-1', cwd: '/work' } },
        { timestamp: at(2), type: 'event_msg', payload: { type: 'user_message', message: 'Run it' } },
        item(4, { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'call_1' }),
        item(9, { type: 'function_call_output', call_id: 'call_1', output: 'a' }),
        item(10, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }),
      ]),
    })
    expect(callsIn(entries)).toEqual([{ call: 'call_1', began: 4, took: 5 }])
    expect(timesOf(entries, 'interaction-started', 'interaction-ended')).toEqual([2, 10])
  })
})

const chat = [
  { sessionId: 'ge-1', projectHash: 'abc', startTime: at(0), kind: 'main' },
  { id: 'm1', timestamp: at(1), type: 'user', content: [{ text: 'List' }] },
  { id: 'm2', timestamp: at(2), type: 'gemini', content: 'Looking.', model: 'g' },
  {
    id: 'm2',
    timestamp: at(2),
    type: 'gemini',
    content: 'Looking.',
    model: 'g',
    toolCalls: [
      {
        id: 'c1',
        name: 'shell',
        args: { command: 'ls' },
        status: 'success',
        timestamp: at(8),
        result: [{ functionResponse: { id: 'c1', response: { output: 'a' } } }],
      },
    ],
  },
  { id: 'm3', timestamp: at(9), type: 'gemini', content: 'One file.', model: 'g' },
]

const time = (start: number, end: number) => ({ start: base + start * 1000, end: base + end * 1000 })
const bash = (callID: string, start: number, end: number) => ({
  type: 'tool',
  callID,
  tool: 'bash',
  state: { status: 'completed', input: {}, output: callID, title: '', metadata: {}, time: time(start, end) },
})
const created = (second: number) => ({ created: base + second * 1000 })

/** A session of OpenCode as its older versions store it: a file for everything. */
function openCodeFiles(first = bash('c1', 6, 16)) {
  const message = (id: string, role: string, second: number) => ({
    id,
    sessionID: 'ses_1',
    role,
    time: { ...created(second), completed: base + (second + 60) * 1000 },
  })
  const parts = [
    ['msg_1', { type: 'text', text: 'List' }],
    ['msg_2', { type: 'step-start' }],
    ['msg_2', { type: 'reasoning', text: 'Hm.', time: time(2, 5) }],
    ['msg_2', first],
    ['msg_2', bash('c2', 7, 9)],
    ['msg_2', { type: 'step-finish', reason: 'tool-calls', cost: 0, tokens: {} }],
    ['msg_3', { type: 'text', text: 'Done.', time: time(18, 19) }],
  ] as const
  const session = { id: 'ses_1', directory: '/work', title: 'A title', version: '0', time: created(0) }
  const messages = [
    message('msg_1', 'user', 1),
    message('msg_2', 'assistant', 2),
    message('msg_3', 'assistant', 17),
  ]
  return {
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
  }
}

describe('[A15] calls that are stored when they end have their own start and end times', () => {
  it('Gemini CLI: a call lasts from the time of its message to its own time', async () => {
    const { entries } = await importedEntries(geminiCli, { 'ws/chats/session-1.jsonl': jsonLines(chat) })
    expect(callsIn(entries)).toEqual([{ call: 'c1', began: 2, took: 6 }])
    expect(timesOf(entries, 'interaction-started', 'interaction-ended')).toEqual([1, 9])
  })

  it('OpenCode: calls at the same time, and thinking', async () => {
    const { entries } = await importedEntries(opencode, openCodeFiles())
    expect(callsIn(entries)).toEqual([
      { call: 'c1', began: 6, took: 10 },
      { call: 'c2', began: 7, took: 2 },
    ])
    const thinking = createThinking()
    for (const entry of entries) thinking.apply(entry)
    expect(thinking.view().map(({ start, end }) => [seconds(start.at), seconds(end?.at ?? 0)])).toEqual([
      [2, 5],
    ])
    expect(timesOf(entries, 'interaction-started', 'interaction-ended')).toEqual([1, 19])
  })

  it('OpenCode: calls keep the order in which they are stored, also where the start of the first was set again later', async () => {
    const { entries } = await importedEntries(opencode, openCodeFiles(bash('c1', 8, 16)))
    expect(callsIn(entries)).toEqual([
      { call: 'c1', began: 7, took: 9 },
      { call: 'c2', began: 7, took: 2 },
    ])
  })

  it.each([
    ['Gemini CLI', geminiCli, { 'ws/chats/session-1.jsonl': jsonLines(chat) }],
    ['OpenCode', opencode, openCodeFiles()],
  ])('%s: a session that was imported before this was known stays as it is', async (_, agent, files) => {
    const transcript = await read(agent, files)
    const before = { ...transcript, lines: transcript.lines.filter(line => line.announces === undefined) }
    expect(before.lines.length).toBeLessThan(transcript.lines.length)
    const house = await openImports(agent)
    expect(await house.import(before)).toMatchObject({ outcome: 'new' })
    expect(await house.import(transcript)).toMatchObject({ outcome: 'unchanged', lines: 0 })
  })
})
