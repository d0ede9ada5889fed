import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Agent } from '../../agents/agent.ts'
import { claudeCode } from '../../agents/claude-code/index.ts'
import { codex } from '../../agents/codex/index.ts'
import { geminiCli } from '../../agents/gemini-cli/index.ts'
import { opencode } from '../../agents/opencode/index.ts'
import { createToolCalls } from '../../projections/tool-calls.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import { beginTranslation, translateLine } from '../translation/translate-line.ts'
import { claudeLines } from './claude-lines.fixture.ts'
import { digestOf } from './digest.fixture.ts'
import { folderWith, jsonLines, openImports, readTranscripts } from './transcripts.fixture.ts'

async function importFolder(agent: Agent, folder: string) {
  const house = await openImports(agent)
  const { transcripts } = await readTranscripts(agent, folder)
  const imported = []
  for (const transcript of transcripts) {
    const { session } = await house.import(transcript)
    expect(await house.import(transcript)).toMatchObject({ outcome: 'unchanged' })
    expect(await house.differences(session)).toBe(0)
    imported.push(session)
  }
  const digests = []
  for (const session of imported) digests.push(digestOf(await house.entries(session)))
  const messages = await house.messages(imported[0] ?? ('' as never))
  const calls = [...messages.values()].flatMap(thread =>
    thread.flatMap(({ parts }) => parts.filter(part => part.type === 'dynamic-tool')),
  )
  return { house, digests, calls }
}

const importFiles = (agent: Agent, files: Readonly<Record<string, string>>) =>
  importFolder(agent, folderWith(files))

const recordings = join(import.meta.dirname, 'recordings')
const owned = join(import.meta.dirname, '../../agents/claude-code/recordings')

/** The live messages of Claude Code, from recordings of its output, which does not contain the prompts. */
function digestOfLive(...names: readonly string[]) {
  const session = 's' as never
  let seq = 1
  const entry = (event: object) => ({
    session,
    seq: seq++,
    id: `${seq}` as never,
    at: 0,
    event: event as never,
  })
  const entries = [
    entry({ type: 'session-created', agent: 'claude-code', cwd: '/', title: null, options: null }),
  ]
  for (const name of names) {
    const connection = name as ConnectionId
    let translation = beginTranslation(claudeCode, connection)
    for (const raw of readFileSync(join(owned, `${name}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n')) {
      const [next, chunks] = translateLine(translation, 'agent', { raw })
      translation = next
      entries.push(entry({ type: 'agent-spoke', interaction: null, connection, raw, chunks }))
    }
  }
  return digestOf(entries)
}

describe('[A15] a session of Claude Code has the same content live and imported from its transcript', () => {
  it.each([
    ['transcript-mixed', ['transcript-mixed.1-first', 'transcript-mixed.2-resumed']],
    ['transcript-subagent', ['transcript-subagent']],
  ] as const)('%s', async (name, names) => {
    const { digests } = await importFolder(claudeCode, join(recordings, name))
    expect(digests).toHaveLength(1)
    const [imported] = digests
    const { threads, tokens, cost } = digestOfLive(...names)
    const answers = imported?.threads.map(lines => lines.filter(line => !line.startsWith('user: ')))
    expect({ threads: answers, tokens: imported?.tokens, cost: imported?.cost }).toEqual({
      threads,
      tokens,
      cost,
    })
  })
})

describe('[A15] a transcript of Claude Code', () => {
  const { session, prompt, call, result, text, note, frame } = claudeLines()
  const name = `${session}.jsonl`

  it('gives each answer its share of the total cost', async () => {
    const lines = [
      prompt('One'),
      text('1'),
      note('cost-state', { totalCostUSD: 0.25 }),
      prompt('Two'),
      text('2'),
      prompt('Three'),
      text('3'),
      note('cost-state', { totalCostUSD: 1 }),
    ]
    const { digests, house } = await importFiles(claudeCode, { [name]: jsonLines(lines) })
    expect(digests[0]?.cost).toBe('1.000000')
    const costs = [...(await house.messages(session as never)).values()]
      .flat()
      .flatMap(({ parts }) => parts.flatMap(part => (part.type === 'data-usage' ? [part.data.cost] : [])))
    expect(costs).toEqual([0.25, null, 0.75])
  })

  it('hides the placeholder of Claude Code for an answer that was cut off', async () => {
    const filler = {
      type: 'assistant',
      message: {
        id: 'x',
        role: 'assistant',
        model: '<synthetic>',
        content: [{ type: 'text', text: 'No response requested.' }],
        stop_reason: 'stop_sequence',
      },
      ...frame(),
    }
    const lines = [
      prompt('Wait'),
      call('c1'),
      result('c1', 'Exit code 137'),
      filler,
      prompt('Go on'),
      text('On.'),
    ]
    const { digests } = await importFiles(claudeCode, { [name]: jsonLines(lines) })
    expect(digests[0]?.outcomes).toEqual(['interrupted', 'finished'])
    expect(JSON.stringify(digests)).not.toContain('No response requested.')
  })

  it.each([
    ['in a field', 'Not today.', { permissionDecision: { decision: 'reject', source: 'user_reject' } }],
    [
      'only in a text',
      "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nNot today.",
      {},
    ],
  ])('shows a denied call as denied when the transcript says so %s', async (_, content, more) => {
    const denied = {
      ...frame(more),
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c1', content, is_error: true }],
      },
    }
    const lines = [prompt('Do it'), call('c1'), denied, text('Then not.')]
    const { calls, house } = await importFiles(claudeCode, { [name]: jsonLines(lines) })
    expect(calls).toMatchObject([
      { state: 'output-error', approval: { approved: false, reason: 'Not today.' }, errorText: content },
    ])
    expect(await house.events(session as never, 'approval-lapsed')).toEqual([])
    const pairs = createToolCalls()
    for (const entry of await house.entries(session as never)) pairs.apply(entry)
    expect(pairs.view()).toMatchObject([{ outcome: 'denied' }])
  })

  it('does not show a failed call as denied', async () => {
    const lines = [prompt('Do it'), call('c1'), result('c1', 'It failed.'), text('So.')]
    const { calls } = await importFiles(claudeCode, { [name]: jsonLines(lines) })
    expect(calls[0]).not.toHaveProperty('approval')
  })
})

type Payload = Readonly<Record<string, Json>>
let second = 0
const rolloutLine = (type: string, payload: Payload) => ({
  timestamp: new Date(1_770_000_000_000 + (second += 1) * 1000).toISOString(),
  type,
  payload,
})
const item = (payload: Payload) => rolloutLine('response_item', payload)
const event = (type: string, more: Payload = {}) => rolloutLine('event_msg', { type, ...more })
const codexMeta = (id: string, more: Payload = {}) => rolloutLine('session_meta', { id, cwd: '/w', ...more })
const codexCall = (call: string, name: string, more: Payload = {}) =>
  item({ type: 'function_call', name, arguments: '{"message":"Look"}', call_id: call, ...more })
const gives = (call: string, output: string) => item({ type: 'function_call_output', call_id: call, output })
const codexSays = (text: string) =>
  item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
const usage = (input: number) =>
  event('token_count', { info: { total_token_usage: { input_tokens: input, output_tokens: 1 } } })

describe('[A15] a rollout of Codex', () => {
  const asks = () => [codexMeta('cx-1'), event('user_message', { message: 'Do it' })]
  const one = async (...lines: readonly object[]) =>
    importFiles(codex, { 'rollout-1.jsonl': jsonLines([...asks(), ...lines, codexSays('Done.')]) })

  it('shows a call that a person stopped as failed', async () => {
    const { calls } = await one(
      codexCall('a', 'exec_command'),
      gives('a', 'Wall time: 0.1 seconds\naborted by user'),
      codexCall('b', 'exec_command'),
      gives('b', 'Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\naborted by user'),
    )
    expect(calls.map(({ state }) => state)).toEqual(['output-error', 'output-available'])
  })

  it('shows a call that a person denied as denied', async () => {
    const { calls } = await one(
      codexCall('a', 'exec_command'),
      gives('a', 'exec_command failed: CreateProcess { message: "Rejected(\\"rejected by user\\")" }'),
    )
    expect(calls).toMatchObject([{ state: 'output-error', approval: { approved: false } }])
  })

  it('uses the live names for tools of MCP servers', async () => {
    const { calls } = await one(codexCall('a', 'echo', { namespace: 'mcp__lab' }), gives('a', 'x'))
    expect(calls.map(({ toolName }) => toolName)).toEqual(['mcp__lab__echo'])
  })

  const family = () => {
    const parent = [...asks(), codexCall('a', 'spawn_agent', { namespace: 'multi_agent_v1' })]
    const spawned = gives('a', '{"agent_id":"cx-2","nickname":"Fermat"}')
    const child = [
      codexMeta('cx-2', { parent_thread_id: 'cx-1', agent_nickname: 'Fermat' }),
      event('user_message', { message: 'Look' }),
      codexCall('c', 'exec_command'),
      gives('c', 'Process'),
      codexSays('The helper speaks.'),
      usage(20),
      event('task_complete'),
    ]
    const rest = [usage(100), codexSays('All done.'), event('task_complete')]
    return {
      'rollout-1.jsonl': jsonLines([...parent, spawned, ...rest]),
      'rollout-2.jsonl': jsonLines(child),
    }
  }

  it('shows a subagent as a thread, not as a separate session', async () => {
    const { digests } = await importFiles(codex, family())
    expect(digests).toHaveLength(1)
    expect(digests[0]?.threads).toEqual([
      [
        'user: Do it',
        'call spawn_agent {"message":"Look"} output-available',
        'subagent: completed',
        'assistant: All done.',
      ],
      ['call exec_command {"message":"Look"} output-available', 'assistant: The helper speaks.'],
    ])
    expect(digests[0]?.tokens).toContain('"input":120')
    expect(digests[0]?.outcomes).toEqual(['finished'])
  })

  it('does not import a subagent again that already is a session', async () => {
    const files = family()
    const { house } = await importFiles(codex, { 'rollout-2.jsonl': files['rollout-2.jsonl'] })
    const [parent] = (await readTranscripts(codex, folderWith(files))).transcripts
    if (parent === undefined) throw new Error('There is no transcript.')
    const { session } = await house.import(parent)
    expect([...(await house.messages(session)).keys()]).toEqual([null])
  })
})

describe('[A15] a denied call is shown as denied', () => {
  const at = (seconds: number) => new Date(1_770_000_000_000 + seconds * 1000).toISOString()

  it('in a chat of Gemini CLI, which keeps only its result', async () => {
    const error = 'Tool "run_shell_command" was canceled by the user.'
    const response = { id: 'c1', name: 'run_shell_command', response: { error } }
    const { calls } = await importFiles(geminiCli, {
      'ws/chats/session-1.jsonl': jsonLines([
        { sessionId: 'ge-1', projectHash: 'abc', startTime: at(0), kind: 'main' },
        { id: 'm1', timestamp: at(1), type: 'user', content: 'Do it' },
        { id: 'm2', timestamp: at(2), type: 'gemini', content: 'I do.', model: 'g' },
        { id: 'm3', timestamp: at(3), type: 'user', content: [{ functionResponse: response }] },
        { id: 'm4', timestamp: at(4), type: 'gemini', content: 'Then not.', model: 'g' },
      ]),
    })
    expect(calls).toMatchObject([
      { toolName: 'run_shell_command', state: 'output-error', approval: { approved: false } },
    ])
  })

  it('in a session of OpenCode, with the reason', async () => {
    const created = (milliseconds: number) => ({ created: milliseconds, completed: milliseconds })
    const state = {
      status: 'error',
      input: {},
      error:
        'The user rejected permission to use this specific tool call with the following feedback: Not today.',
      time: { start: 2000, end: 3000 },
    }
    const part = { id: 'prt_1', sessionID: 'ses_1', messageID: 'msg_2', type: 'tool', tool: 'bash' }
    const { calls } = await importFiles(opencode, {
      'storage/session/p/ses_1.json': JSON.stringify({ id: 'ses_1', time: created(1) }),
      'storage/message/ses_1/msg_1.json': JSON.stringify({
        id: 'msg_1',
        sessionID: 'ses_1',
        role: 'user',
        time: created(1000),
      }),
      'storage/message/ses_1/msg_2.json': JSON.stringify({
        id: 'msg_2',
        sessionID: 'ses_1',
        role: 'assistant',
        time: created(2000),
      }),
      'storage/part/msg_1/prt_0.json': JSON.stringify({
        id: 'prt_0',
        sessionID: 'ses_1',
        messageID: 'msg_1',
        type: 'text',
        text: 'Do it',
      }),
      'storage/part/msg_2/prt_1.json': JSON.stringify({ ...part, callID: 'c1', state }),
    })
    expect(calls).toMatchObject([
      { state: 'output-error', approval: { approved: false, reason: 'Not today.' } },
    ])
  })
})
