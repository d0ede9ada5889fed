import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { partsOf } from '../kit/lossless.fixture.ts'
import {
  busy,
  completed,
  ends,
  event,
  translateSession,
  translateRecording,
  idle,
  inAnswer,
  message,
  part,
  pending,
  running,
  tool,
  type Translated,
} from './lines.fixture.ts'

const calls = (translated: Translated) => partsOf(translated, 'dynamic-tool')
const typesOf = (translated: Translated) =>
  translated.main.map(({ type }) => type).filter(type => type.startsWith('tool-'))

describe('calls', () => {
  it('[P3] begin, run, show their output when it grows, and end', () => {
    const input = { command: 'ls' }
    const writes = (output: string) => tool('c', running(input, { metadata: { output } }))
    const translated = inAnswer(
      tool('c', pending),
      tool('c', pending),
      writes(''),
      writes('a'),
      writes('a'),
      writes('ab'),
      tool('c', completed(input, 'ab', { exit: 0 })),
    )
    expect(typesOf(translated)).toEqual([
      'tool-input-start',
      'tool-input-available',
      'tool-output-available',
      'tool-output-available',
      'tool-output-available',
    ])
    expect(calls(translated)).toMatchObject([
      { toolCallId: 'c', input, output: { output: 'ab', title: 't' } },
    ])
  })

  it('[P3] that OpenCode calls done are done, with their exit code; errors are errors', () => {
    const translated = inAnswer(
      tool('a', completed({}, 'bad', { exit: 3 })),
      tool('b', { status: 'error', input: { filePath: 'x' }, error: 'File not found' }, 'read'),
    )
    expect(calls(translated)).toMatchObject([
      { state: 'output-available', output: { metadata: { exit: 3 } } },
      { state: 'output-error', errorText: 'File not found', input: { filePath: 'x' } },
    ])
  })

  it('[P3] a stopped command is not a success, although OpenCode calls it completed', () => {
    const output = 'started\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>'
    const translated = inAnswer(tool('a', completed({}, output, { output: 'started\n', exit: null })))
    expect(calls(translated)).toMatchObject([{ state: 'output-error', errorText: output }])
  })

  it('[P3] may change their name when the model called a tool that does not exist', () => {
    const translated = inAnswer(
      tool('c', pending, 'no_such_tool'),
      tool('c', running({ tool: 'no_such_tool', error: 'x' }), 'invalid'),
      tool('c', completed({ tool: 'no_such_tool', error: 'x' }, 'invalid'), 'invalid'),
    )
    expect(calls(translated)).toMatchObject([
      { toolName: 'invalid', input: { tool: 'no_such_tool' }, state: 'output-error', errorText: 'invalid' },
    ])
  })

  it('[P3] that end after the answer are placed in it, and an id may be used again', () => {
    const aborted = event('session.error', { error: { name: 'MessageAbortedError', data: {} } })
    const translated = translateSession(
      busy(),
      message('a'),
      tool('c', running({})),
      tool('d', pending),
      aborted,
      idle(),
      tool('c', completed({}, 'stopped')),
      tool('d', { status: 'error', input: {}, error: 'Tool execution aborted' }),
      idle(),
      busy(),
      part('other', { type: 'tool', tool: 'bash', callID: 'c', state: completed({}, 'again') }),
      idle(),
    )
    expect(translated.messages).toHaveLength(2)
    expect(calls(translated)).toMatchObject([
      { toolCallId: 'c', output: { output: 'stopped' } },
      { toolCallId: 'd', errorText: 'Tool execution aborted' },
      { toolCallId: 'c', output: { output: 'again' } },
    ])
  })
})

describe('questions', () => {
  const asked = (more: Readonly<Record<string, Json>>) =>
    event('permission.asked', {
      id: 'per_1',
      permission: 'bash',
      patterns: ['ls'],
      metadata: { command: 'ls' },
      always: ['ls *'],
      ...more,
    })
  const about = { tool: { messageID: 'a', callID: 'c' } }
  const approvals = (translated: Translated) =>
    translated.main.flatMap(chunk => (chunk.type === 'tool-approval-request' ? [chunk] : []))

  const inputsIn = (translated: Translated) =>
    translated.main.flatMap(chunk => (chunk.type === 'tool-input-available' ? [chunk] : []))

  it('[P2] a permission may be asked before or after the call has its input', () => {
    const input = { command: 'ls', description: 'x' }
    const before = inAnswer(
      tool('c', pending),
      asked(about),
      tool('c', running(input)),
      tool('c', completed(input, '')),
    )
    const after = inAnswer(
      tool('c', running(input)),
      asked(about),
      asked(about),
      tool('c', completed(input, '')),
    )
    for (const translated of [before, after]) {
      expect(approvals(translated)).toMatchObject([{ approvalId: 'per_1', toolCallId: 'c' }])
      expect(calls(translated)).toMatchObject([
        {
          toolName: 'bash',
          input,
          title: 'bash: ls',
          callProviderMetadata: { opencode: { always: ['ls *'] } },
        },
      ])
    }
    expect(calls(translateRecording('permission-edit'))[0]?.state).toBe('output-available')
  })

  it('[P2] a permission without a call gets its own call', () => {
    const replied = (reply: string) => event('permission.replied', { requestID: 'per_1', reply })
    expect(calls(inAnswer(asked({}), replied('once')))).toMatchObject([
      { toolCallId: 'per_1', toolName: 'bash', input: { command: 'ls' }, output: 'once' },
    ])
    expect(calls(inAnswer(asked({}), replied('reject')))).toMatchObject([{ errorText: 'Declined.' }])
  })

  it('[S10] a question that comes before the input of its call is asked when the input is known', () => {
    const early = asked(about)
    const known = running({ command: 'ls', workdir: '/precious' })
    const translated = inAnswer(tool('c', pending, 'bash'), early, tool('c', known, 'bash'))
    const inputs = inputsIn(translated)
    expect(inputs.at(-1)?.input).toMatchObject({ command: 'ls', workdir: '/precious', permission: 'bash' })
    expect(approvals(translated)).toMatchObject([{ approvalId: 'per_1', toolCallId: 'c' }])
    expect(approvals(inAnswer(tool('c', pending, 'bash'), early))).toEqual([])
    // After ten seconds it is asked all the same, and no rule can be made of so little.
    const late = inAnswer(tool('c', pending, 'bash'), early, event('server.heartbeat'))
    expect(approvals(late)).toHaveLength(1)
    expect(inputsIn(late).at(-1)).toMatchObject({ providerMetadata: { dragoman: { partialInput: true } } })
  })

  it('[S10] no rule can be made of a permission without a call, and a permission for an ended call is asked about', () => {
    const translated = inAnswer(asked({}))
    expect(approvals(translated)).toHaveLength(1)
    expect(inputsIn(translated).at(-1)).toMatchObject({
      providerMetadata: { dragoman: { partialInput: true } },
    })
    const input = { command: 'ls' }
    const over = [tool('c', running(input), 'bash'), tool('c', completed(input, ''), 'bash')]
    expect(approvals(inAnswer(...over, asked(about), event('server.heartbeat')))).toMatchObject([
      { approvalId: 'per_1' },
    ])
  })

  it('[S10] each permission that one call requests is a separate question', () => {
    const more = event('permission.asked', {
      id: 'per_2',
      permission: 'external_directory',
      patterns: ['/etc/*'],
      ...about,
    })
    const translated = inAnswer(tool('c', running({ command: 'ls' }), 'bash'), asked(about), more)
    expect(
      inputsIn(translated)
        .map(({ input }) => input)
        .slice(-2),
    ).toMatchObject([
      { command: 'ls', permission: 'bash', patterns: ['ls'] },
      { command: 'ls', permission: 'external_directory', patterns: ['/etc/*'] },
    ])
  })

  it.each([
    ['permission', { permission: 'mine' }],
    ['patterns', { patterns: ['mine'] }],
    ['input', { input: 'mine' }],
  ])('[S10] a field "%s" of the input is not hidden by the permission', (_, input) => {
    const translated = inAnswer(tool('c', running(input), 'mcp_search'), asked(about))
    expect(inputsIn(translated).at(-1)?.input).toEqual({
      input,
      permission: 'bash',
      patterns: ['ls'],
      metadata: { command: 'ls' },
    })
  })

  it('[P2] an interrupt leaves a question unanswered, and ends its call', () => {
    const translated = translateRecording('permission-abort')
    expect(approvals(translated)).toHaveLength(1)
    expect(calls(translated)).toMatchObject([{ state: 'output-error' }])
  })

  it('[P2] questions are asked with their choices', () => {
    const questions = [{ question: 'Which?', header: 'W', options: [{ label: 'A', description: '' }] }]
    const translated = inAnswer(
      tool('c', pending, 'question'),
      event('question.asked', { id: 'que_1', questions, ...about }),
      tool('c', running({ questions }), 'question'),
      event('question.replied', { requestID: 'que_1', answers: [['A']] }),
      tool('c', completed({ questions }, 'A'), 'question'),
    )
    expect(approvals(translated)).toMatchObject([{ approvalId: 'que_1', toolCallId: 'c' }])
    expect(calls(translated)).toMatchObject([{ toolName: 'question', input: { questions } }])
  })
})

describe('subagents', () => {
  const child = event('session.created', {
    sessionID: 'C',
    info: { id: 'C', parentID: 'S', agent: 'general' },
  })
  const task = (status: Readonly<Record<string, Json>>) => tool('c', status, 'task')
  const input = { description: 'look', prompt: 'Look', subagent_type: 'general' }
  const works = running(input, { metadata: { sessionId: 'C' } })

  it('[P4] are in the thread of the call that started them, with their own usage', () => {
    const translated = inAnswer(
      child,
      task(works),
      busy('C'),
      message('ca', 'assistant', {}, 'C'),
      ends('ct', 'Seen.', 'text', 'C'),
      idle('C'),
      idle('C'),
      task(completed(input, 'Seen.', { sessionId: 'C' })),
    )
    expect(translated.messages.map(({ thread }) => thread)).toEqual([null, 'c'])
    expect(partsOf(translated, 'data-subagent')).toMatchObject([
      { id: 'c', data: { agent: 'general', description: 'look', status: 'completed', lastWords: 'Seen.' } },
    ])
  })

  it('[P4] may work again, fail, and use ids of calls that their parents use', () => {
    const translated = inAnswer(
      child,
      task(works),
      busy('C'),
      tool('c', completed({}, 'theirs'), 'bash', 'C'),
      idle('C'),
      busy('C'),
      ends('ct', 'Oh.', 'text', 'C'),
      event('session.error', { sessionID: 'C', error: { name: 'APIError', data: { message: 'No.' } } }),
      idle('C'),
    )
    expect(translated.messages.filter(({ thread }) => thread === 'c')).toHaveLength(2)
    expect(partsOf(translated, 'data-subagent')).toMatchObject([{ data: { status: 'failed' } }])
    expect(calls(translated).map(({ toolCallId }) => toolCallId)).toContain('C:c')
  })

  it('[P4] a session without a call is kept separate', () => {
    const translated = inAnswer(
      busy('X'),
      ends('xt', 'Elsewhere.', 'text', 'X'),
      idle('X'),
      ends('t', 'Here.'),
    )
    expect(translated.messages).toHaveLength(2)
    expect(calls(translated)).toMatchObject([{ toolCallId: 'X', toolName: 'unknown', output: null }])
  })
})
