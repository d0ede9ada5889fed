import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chunk, Thread, ThreadChunk } from '../../protocol/chunk.ts'
import type { DataParts } from '../../protocol/data-parts.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import type {
  ApprovalId,
  ConnectionId,
  EntryId,
  InteractionId,
  PromptId,
  SessionId,
} from '../../protocol/ids.ts'
import { plainStyle } from '../terminal/style.ts'
import { createTranscript } from './transcript.ts'

// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const active = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/
const interaction = 'i' as InteractionId
const connection = 'c' as ConnectionId

function show(events: readonly Event[]): string {
  const transcript = createTranscript(plainStyle, 100)
  const texts = events.map((event, index) =>
    transcript.take({
      session: 's' as SessionId,
      seq: index + 1,
      id: `${index}` as EntryId,
      at: index * 1000,
      event,
    } satisfies Entry),
  )
  return texts.join('') + transcript.pause()
}

const spoke = (chunks: readonly ThreadChunk[]): Event => ({
  type: 'agent-spoke',
  interaction,
  connection,
  raw: '',
  chunks,
})
const say = (chunks: readonly Chunk[], thread: Thread = null): Event =>
  spoke(chunks.map(chunk => ({ thread, chunk })))
const text = (delta: string, id = 'p0'): readonly Chunk[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
]
const call = (toolCallId: string, toolName: string, input: Record<string, string>): Chunk => ({
  type: 'tool-input-available',
  toolCallId,
  toolName,
  input,
})
const subagent = (status: DataParts['subagent']['status']): Chunk => ({
  type: 'data-subagent',
  id: 'task',
  data: {
    agent: 'scout',
    description: 'Look',
    status,
    toolCalls: 1,
    tokens: 1200,
    cost: null,
    lastWords: null,
  },
})

describe('the transcript', () => {
  it('[O3] shows a command with its title', () => {
    const titled = (title: string): Chunk => ({
      type: 'tool-input-available',
      toolCallId: 't',
      toolName: 'commandExecution',
      input: { command: 'rm -r build' },
      title,
    })
    expect(show([say([titled('The build is stale.')])])).toContain(
      'commandExecution rm -r build · The build is stale.',
    )
    expect(show([say([titled('Run rm -r build')])])).toContain('commandExecution Run rm -r build\n')
  })

  it('[O3] streams text as it comes, and starts a new line after other output', () => {
    const transcript = createTranscript(plainStyle, 100)
    const take = (chunk: Chunk) =>
      transcript.take({ session: 's', seq: 1, id: 'x', at: 0, event: say([chunk]) } as unknown as Entry)
    take({ type: 'text-start', id: 'p' })
    expect(take({ type: 'text-delta', id: 'p', delta: 'Hel' })).toBe('Hel')
    expect(take({ type: 'text-delta', id: 'p', delta: 'lo\n\n' })).toBe('lo')
    expect(take({ type: 'text-delta', id: 'p', delta: 'you \ud83d' })).toBe('\n\nyou ')
    expect(take({ type: 'text-delta', id: 'p', delta: '\ude00' })).toBe('\u{1f600}')
    expect(take({ type: 'data-notice', data: { level: 'info', code: 'x', message: 'mind' } })).toBe(
      '\n\n! mind\n',
    )
    expect(take({ type: 'text-delta', id: 'p', delta: 'again' })).toBe('\nagain')
    expect(take({ type: 'text-end', id: 'p' })).toBe('')
  })

  it('[O3] shows a call again only if more of it is visible', () => {
    const shown = show([
      say([
        call('a', 'Bash', { command: 'ls' }),
        call('a', 'Bash', { command: 'ls', reason: 'May I?' }),
        {
          type: 'tool-input-available',
          toolCallId: 'a',
          toolName: 'Bash',
          title: 'List it',
          input: { command: 'ls' },
        },
        call('a', 'Bash', { command: 'ls -l' }),
      ]),
    ])
    expect(shown).toBe(['● Bash ls', '● Bash ls · List it', '● Bash ls -l', ''].join('\n'))
  })

  it('[O3] puts an outcome on the line of its call if nothing came between', () => {
    const shown = show([
      say([
        call('a', 'Read', { path: 'a.txt' }),
        { type: 'tool-output-available', toolCallId: 'a', output: 'x\ny' },
      ]),
      say([call('b', 'Bash', { command: 'ls\n-l' }), call('c', 'Grep', { pattern: 'x', path: 'y' })]),
      say([
        { type: 'tool-output-available', toolCallId: 'b', output: { stdout: '', exitCode: 2 } },
        { type: 'tool-output-error', toolCallId: 'c', errorText: 'no\nluck' },
        { type: 'tool-output-available', toolCallId: 'late', output: null },
        {
          type: 'tool-output-available',
          toolCallId: 'slow',
          output: { output: '', exitCode: null, timedOut: 'It was ended after 2 s.' },
        },
      ]),
    ])
    expect(shown).toBe(
      [
        '● Read a.txt ✓ x … 2 lines',
        '● Bash ls -l',
        '● Grep y',
        '✗ Bash ls -l · exit code 2',
        '✗ Grep y · no luck',
        '✓ late',
        '✗ slow · It was ended after 2 s.',
        '',
      ].join('\n'),
    )
  })

  it('[O3] indents a subagent under its call, by whole lines', () => {
    const shown = show([
      say(text('Off you go.')),
      say([call('task', 'Task', { description: 'Look' }), subagent('running')]),
      say(
        [
          { type: 'text-start', id: 'p0' },
          { type: 'text-delta', id: 'p0', delta: 'one ' },
        ],
        'task',
      ),
      say([call('n', 'Nested', {})], 'task'),
      say(
        [
          { type: 'text-delta', id: 'p0', delta: 'line\nand' },
          { type: 'text-end', id: 'p0' },
        ],
        'task',
      ),
      say(text('deep'), 'n'),
      say([subagent('completed')]),
    ])
    expect(shown).toBe(
      [
        'Off you go.',
        '',
        '● Task Look',
        '┌ scout Look',
        '│ ● Nested',
        '│ one line',
        '│ and',
        '│ │ deep',
        '└ scout · Done · 1 tool call · 1.2k tokens',
        '',
      ].join('\n'),
    )
  })

  it('[O3] shows prompts, plans, files, approvals, retractions, and the end with its duration', () => {
    const usage = {
      tokens: { input: 1500, output: 20, cacheRead: 0, cacheWrite: 0 },
      cost: 0.0123,
      model: null,
    }
    const shown = show([
      { type: 'session-created', agent: 'scripted', cwd: '/w', title: null, options: null },
      {
        type: 'interaction-started',
        interaction,
        trigger: 'user',
        agent: 'scripted',
        prompt: 'p' as PromptId,
        parts: [
          { type: 'text', text: 'two\nlines' },
          { type: 'file', url: 'data:image/png;base64,AAAA', mediaType: 'image/png' },
        ],
      },
      say([
        { type: 'start', messageId: 'm' },
        { type: 'data-todos', data: { todos: [{ text: 'Look', status: 'in-progress' }] } },
        { type: 'file', url: 'https://x/y.pdf', mediaType: 'application/pdf' },
        { type: 'data-notice', data: { level: 'info', code: 'said-meanwhile', message: 'and\nfast' } },
        call('a', 'Bash', { command: 'rm' }),
        { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'a' },
      ]),
      {
        type: 'approval-answered',
        approval: 'q' as ApprovalId,
        approved: true,
        reason: null,
        input: {},
        always: true,
      },
      say([...text('wrong'), { type: 'data-retracted', data: { ids: ['p0'], indexes: [3] } }]),
      say([
        { type: 'data-usage', data: usage },
        { type: 'error', errorText: 'It broke.' },
        { type: 'finish' },
      ]),
      { type: 'agent-logged', connection, text: 'Fatal: \u001b[31mdisk\n' },
      { type: 'interaction-ended', interaction, outcome: 'failed', reason: 'It broke.', chunks: [] },
    ])
    expect(shown).toBe(
      [
        'scripted in /w · session s',
        '',
        '> two',
        '> lines',
        '> [image image/png 3 B]',
        '',
        '◐ Look',
        '',
        '[file application/pdf https://x/y.pdf]',
        '',
        '> and',
        '> fast',
        '',
        '● Bash rm',
        '? Bash needs approval',
        '? Bash: allowed always with edited input',
        '',
        'wrong',
        '',
        '↶ retracted: “wrong”',
        '',
        '✗ It broke.',
        '',
        'agent log:',
        'Fatal: ␛[31mdisk',
        '',
        'Failed in 6.0 s · 1.5k tokens in, 20 out · $0.0123',
        '',
      ].join('\n'),
    )
  })

  it('[R2] removes control characters of an agent everywhere', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(
        '\u001b[2J',
        '\u001b[31m',
        '\u0007',
        '\u009b1m',
        '\r',
        'a',
        '\n',
        '\ud83d',
        '\u202e',
      ),
    })
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 8, maxLength: 8 }), words => {
        const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = ''] = words
        const shown = show([
          { type: 'session-created', agent: a, cwd: b, title: null, options: null },
          say([{ type: 'start', messageId: c }, ...text(c), call(d, e, { x: f })]),
          say([
            { type: 'tool-output-available', toolCallId: d, output: { [g]: h } },
            call(b, a, { command: c }),
          ]),
          say([{ type: 'tool-approval-request', approvalId: e, toolCallId: b }, subagent('running')]),
          say([{ type: 'tool-output-error', toolCallId: b, errorText: f }, ...text(g, 'p1')], 'task'),
          say([{ type: 'data-notice', data: { level: 'error', code: a, message: b } }]),
          say([{ type: 'data-unknown', data: { agent: c, kind: d, native: null } }]),
          say([
            { type: 'source-url', sourceId: 'x', url: e, title: f },
            { type: 'file', url: g, mediaType: h },
          ]),
          say([{ type: 'error', errorText: a }]),
          { type: 'agent-logged', connection, text: b },
          { type: 'interaction-ended', interaction, outcome: 'failed', reason: c, chunks: [] },
        ])
        expect(shown).not.toMatch(active)
      }),
      { numRuns: 300 },
    )
  })
})
