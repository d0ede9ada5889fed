import { describe, expect, it } from 'vitest'
import { codex } from '../../agents/codex/index.ts'
import type { Json } from '../../protocol/json.ts'
import { folderWith, jsonLines, openImports, readTranscripts, wordsOf } from './transcripts.fixture.ts'

type Payload = Readonly<Record<string, Json>>

const line = (type: string, payload: Payload) => ({ timestamp: '2026-03-01T10:00:00.000Z', type, payload })
const event = (type: string, more: Payload = {}) => line('event_msg', { type, ...more })
const said = (role: string, text: string, more: Payload = {}) =>
  line('response_item', { type: 'message', role, content: [{ type: 'text', text }], ...more })

const meta = line('session_meta', { id: 'cx-1', cwd: '/w', cli_version: '0.60.0' })
const asks = (text: string) => [said('user', text), event('user_message', { message: text })]
const answers = (text: string) => [event('agent_message', { message: text }), said('assistant', text)]
const calls = (call: string, name = 'shell_command') =>
  line('response_item', { type: 'function_call', name, arguments: '{"command":"x"}', call_id: call })
const gives = (call: string, output: Json) =>
  line('response_item', { type: 'function_call_output', call_id: call, output })
const begins = event('task_started')
const completes = (message: string | null = null) => event('task_complete', { last_agent_message: message })
const aborts = event('turn_aborted', { reason: 'interrupted' })
const goesWrong = (message: string) => event('error', { message, codex_error_info: 'other' })

type Lines = readonly ReturnType<typeof line>[]

/** Imports a rollout, in pieces if it is cut, and returns how its turns ended. */
async function imported(lines: Lines, cuts: readonly number[] = []) {
  const house = await openImports(codex)
  const all = [meta, ...lines]
  for (const end of [...cuts.map(cut => cut + 1), all.length]) {
    const folder = folderWith({ 'rollout-cx-1.jsonl': jsonLines(all.slice(0, end)) })
    for (const each of (await readTranscripts(codex, folder)).transcripts) await house.import(each)
  }
  const session = 'cx-1' as never
  expect(await house.differences(session)).toBe(0)
  const ends = await house.events(session, 'interaction-ended')
  const messages = (await house.messages(session)).get(null) ?? []
  const last = new Map(ends.map(({ interaction, outcome, reason }) => [interaction, [outcome, reason]]))
  const tools = messages.flatMap(({ parts }) => parts.filter(part => part.type === 'dynamic-tool'))
  return { ends: [...last.values()], messages, tools, words: wordsOf(messages) }
}

const finished = ['finished', null]
const endsHere = ['interrupted', 'The transcript ends here.']

describe('[A15] a turn of a rollout', () => {
  it('with an answer is finished even without a completion line', async () => {
    const second = [...asks('Two'), calls('c'), gives('c', 'ok'), ...answers('B')]
    const { ends } = await imported([...asks('One'), ...answers('A'), ...second])
    expect(ends).toEqual([finished, finished])
  })

  it('is interrupted if it has an abort line', async () => {
    const stopped = await imported([...asks('One'), ...answers('A'), aborts, ...asks('Two'), ...answers('B')])
    expect(stopped.ends).toEqual([['interrupted', expect.any(String)], finished])
    const silent = await imported([begins, ...asks('One'), aborts, begins, ...asks('Two'), ...answers('B')])
    expect(silent.ends).toEqual([['interrupted', expect.any(String)], finished])
  })

  it('without a final answer at the end of the transcript ends there', async () => {
    const works = [said('assistant', 'Let me look.', { phase: 'commentary' }), calls('c')]
    const { ends } = await imported([...asks('One'), ...works, ...asks('Two'), ...works])
    expect(ends).toEqual([finished, endsHere])
    expect((await imported([...asks('One'), works[0] ?? meta])).ends).toEqual([endsHere])
  })

  it('that has ended does not change when another is stopped', async () => {
    const { ends } = await imported([begins, ...asks('One'), ...answers('A'), completes('A'), aborts])
    expect(ends).toEqual([finished])
  })

  it('fails with its error when no answer follows', async () => {
    const first = [begins, ...asks('One'), goesWrong('No room'), completes()]
    const second = [begins, ...asks('Two'), ...answers('Partly'), calls('c'), goesWrong('Gone'), completes()]
    const third = [...asks('Three'), goesWrong('Lost')]
    const { ends, words } = await imported([...first, ...second, ...third])
    expect(ends).toEqual([
      ['failed', 'No room'],
      ['failed', 'Gone'],
      ['failed', 'Lost'],
    ])
    expect(words).not.toContain('error: Gone')
  })

  it('finishes with a notice when an answer follows', async () => {
    const first = [begins, ...asks('One'), goesWrong('Hiccup'), ...answers('A'), completes('A')]
    const second = [begins, ...asks('Two'), ...answers('B'), goesWrong('Later'), completes('B')]
    const { ends, words } = await imported([...first, ...second])
    expect(ends).toEqual([finished, finished])
    expect(words).toEqual([
      'user: One',
      'error: Hiccup',
      'assistant: A',
      'user: Two',
      'assistant: B',
      'error: Later',
    ])
  })

  it('shows an error after its end and keeps its outcome', async () => {
    const turn = [begins, ...asks('One'), ...answers('A')]
    const done = await imported([...turn, completes('A'), goesWrong('Late')])
    expect(done.ends).toEqual([finished])
    expect(done.words).toEqual(['user: One', 'assistant: A', 'error: Late'])
    const stopped = await imported([...turn, aborts, goesWrong('Late')])
    expect(stopped.ends).toEqual([['interrupted', expect.any(String)]])
    expect(stopped.words).toContain('error: Late')
    const early = await imported([...turn, completes('A'), begins, goesWrong('Early'), ...asks('Two')])
    expect(early.ends).toEqual([finished, finished])
    expect(early.words).toContain('error: Early')
  })

  it('shows the message inside an error of the provider, and each of two errors', async () => {
    const { ends, words } = await imported([
      ...asks('One'),
      goesWrong('First'),
      goesWrong('{"error":{"message":"Refused."}}'),
    ])
    expect(ends).toEqual([['failed', 'Refused.']])
    expect(words).toContain('error: First')
  })

  it('has the same end when it is imported in pieces', async () => {
    const lines = [
      [...asks('One'), calls('c'), gives('c', 'ok')],
      [begins, ...asks('Two'), ...answers('B'), aborts],
      [begins, ...asks('Three'), goesWrong('Hiccup'), calls('d'), ...answers('C'), completes('C')],
      [begins, ...asks('Four'), calls('e'), goesWrong('Gone'), completes(), goesWrong('Late')],
    ].flat()
    const whole = await imported(lines)
    expect(whole.ends.map(([outcome]) => outcome)).toEqual(['finished', 'interrupted', 'finished', 'failed'])
    // Only the first prompt shows which lines of a rollout contain prompts.
    for (const cut of [...lines.keys()].slice(2)) {
      const pieces = await imported(lines, [cut])
      expect([cut, ...pieces.ends.map(([outcome]) => outcome)]).toEqual([
        cut,
        ...whole.ends.map(([outcome]) => outcome),
      ])
      expect(pieces.words.toSorted()).toEqual(whole.words.toSorted())
    }
  })
})

const chunk = (code: number, output: string) =>
  `Chunk ID: f9fc3b\nWall time: 0.0000 seconds\nProcess exited with code ${code}\nOriginal token count: 13\nOutput:\n${output}`
const structured = (output: string, exit_code: number) =>
  JSON.stringify({ output, metadata: { exit_code, duration_seconds: 0.1 } })
const shell = (code: number, output: string) =>
  `Exit code: ${code}\nWall time: 0.1 seconds\nOutput:\n${output}`

describe('[A15] a command of a rollout', () => {
  const failing: readonly (readonly [tool: string, output: Json, error: string])[] = [
    ['exec_command', chunk(3, 'partial\n'), chunk(3, 'partial\n')],
    ['write_stdin', chunk(-1, 'gone'), chunk(-1, 'gone')],
    ['shell', structured('bad', 2), 'bad\nExit code 2.'],
    ['apply_patch', structured('bad\n', 1), 'bad\nExit code 1.'],
    ['container.exec', structured('', 1), 'Exit code 1.'],
    ['shell_command', shell(3, 'FAIL'), shell(3, 'FAIL')],
    ['exec_command', 'exec_command failed: no such file', 'exec_command failed: no such file'],
    ['exec_command', [{ type: 'input_text', text: chunk(3, 'x') }], chunk(3, 'x')],
    ['shell', { content: shell(3, 'x'), success: true }, shell(3, 'x')],
  ]

  it.each(failing)('%s that failed is an error with its message: %j', async (tool, output, error) => {
    const { tools } = await imported([...asks('Run'), calls('c', tool), gives('c', output), ...answers('A')])
    expect(tools).toMatchObject([{ toolName: tool, state: 'output-error', errorText: error }])
  })

  const fine: readonly (readonly [tool: string, output: Json])[] = [
    ['exec_command', chunk(0, 'Process exited with code 3\nexec_command failed: x')],
    ['exec_command', 'Chunk ID: 4e\nProcess running with session ID 2\nOutput:\nready'],
    ['shell', structured('Exit code: 3', 0)],
    ['shell_command', shell(0, 'Exit code: 3')],
    ['mcp__lab__run', structured('bad', 2)],
    ['read_file', 'Exit code: 3'],
  ]

  it.each(fine)('%s that succeeded is not an error: %j', async (tool, output) => {
    const { tools } = await imported([...asks('Run'), calls('c', tool), gives('c', output), ...answers('A')])
    expect(tools).toMatchObject([{ toolName: tool, state: 'output-available', output }])
  })

  it('that Codex reports as failed is an error, whatever output the model got', async () => {
    const end = event('exec_command_end', { call_id: 'c', exit_code: 4, aggregated_output: 'no' })
    const { tools } = await imported([...asks('Run'), calls('c'), end, gives('c', 'no'), ...answers('A')])
    expect(tools).toMatchObject([{ state: 'output-error', errorText: 'no\nExit code 4.' }])
  })
})
