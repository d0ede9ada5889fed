import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { partsOf } from '../kit/lossless.fixture.ts'
import {
  busy,
  completed,
  ends,
  event,
  hear,
  heardOf,
  idle,
  inAnswer,
  message,
  part,
  pending,
  running,
  tool,
  type Heard,
} from './talk.fixture.ts'

const calls = (heard: Heard) => partsOf(heard, 'dynamic-tool')
const typesOf = (heard: Heard) => heard.main.map(({ type }) => type).filter(type => type.startsWith('tool-'))

describe('calls', () => {
  it('[P3] are begun, run, show what they write when it grows, and end', () => {
    const input = { command: 'ls' }
    const writes = (output: string) => tool('c', running(input, { metadata: { output } }))
    const heard = inAnswer(
      tool('c', pending),
      tool('c', pending),
      writes(''),
      writes('a'),
      writes('a'),
      writes('ab'),
      tool('c', completed(input, 'ab', { exit: 0 })),
    )
    expect(typesOf(heard)).toEqual([
      'tool-input-start',
      'tool-input-available',
      'tool-output-available',
      'tool-output-available',
      'tool-output-available',
    ])
    expect(calls(heard)).toMatchObject([{ toolCallId: 'c', input, output: { output: 'ab', title: 't' } }])
  })

  it('[P3] that OpenCode calls done are done, with their exit code; errors are errors', () => {
    const heard = inAnswer(
      tool('a', completed({}, 'bad', { exit: 3 })),
      tool('b', { status: 'error', input: { filePath: 'x' }, error: 'File not found' }, 'read'),
    )
    expect(calls(heard)).toMatchObject([
      { state: 'output-available', output: { metadata: { exit: 3 } } },
      { state: 'output-error', errorText: 'File not found', input: { filePath: 'x' } },
    ])
  })

  it('[P3] a command that was stopped is no success, although OpenCode calls it completed', () => {
    const output = 'started\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>'
    const heard = inAnswer(tool('a', completed({}, output, { output: 'started\n', exit: null })))
    expect(calls(heard)).toMatchObject([{ state: 'output-error', errorText: output }])
  })

  it('[P3] may change their name when the model called something that is not there', () => {
    const heard = inAnswer(
      tool('c', pending, 'no_such_tool'),
      tool('c', running({ tool: 'no_such_tool', error: 'x' }), 'invalid'),
      tool('c', completed({ tool: 'no_such_tool', error: 'x' }, 'invalid'), 'invalid'),
    )
    expect(calls(heard)).toMatchObject([
      { toolName: 'invalid', input: { tool: 'no_such_tool' }, state: 'output-error', errorText: 'invalid' },
    ])
  })

  it('[P3] that end after the answer are placed in it, and a name may be used again', () => {
    const aborted = event('session.error', { error: { name: 'MessageAbortedError', data: {} } })
    const heard = hear(
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
    expect(heard.messages).toHaveLength(2)
    expect(calls(heard)).toMatchObject([
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
  const approvals = (heard: Heard) =>
    heard.main.flatMap(chunk => (chunk.type === 'tool-approval-request' ? [chunk] : []))

  const inputsIn = (heard: Heard) =>
    heard.main.flatMap(chunk => (chunk.type === 'tool-input-available' ? [chunk] : []))

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
    for (const heard of [before, after]) {
      expect(approvals(heard)).toMatchObject([{ approvalId: 'per_1', toolCallId: 'c' }])
      expect(calls(heard)).toMatchObject([
        {
          toolName: 'bash',
          input,
          title: 'bash: ls',
          callProviderMetadata: { opencode: { always: ['ls *'] } },
        },
      ])
    }
    expect(calls(heardOf('permission-edit'))[0]?.state).toBe('output-available')
  })

  it('[P2] one that no call asks for is a call of its own', () => {
    const replied = (reply: string) => event('permission.replied', { requestID: 'per_1', reply })
    expect(calls(inAnswer(asked({}), replied('once')))).toMatchObject([
      { toolCallId: 'per_1', toolName: 'bash', input: { command: 'ls' }, output: 'once' },
    ])
    expect(calls(inAnswer(asked({}), replied('reject')))).toMatchObject([{ errorText: 'Declined.' }])
  })

  it('[S10] a question that comes before the input of its call is asked when the input is known', () => {
    const early = asked(about)
    const known = running({ command: 'ls', workdir: '/precious' })
    const heard = inAnswer(tool('c', pending, 'bash'), early, tool('c', known, 'bash'))
    const inputs = inputsIn(heard)
    expect(inputs.at(-1)?.input).toMatchObject({ command: 'ls', workdir: '/precious', permission: 'bash' })
    expect(approvals(heard)).toMatchObject([{ approvalId: 'per_1', toolCallId: 'c' }])
    expect(approvals(inAnswer(tool('c', pending, 'bash'), early))).toEqual([])
    // Ten seconds later it is asked all the same, and no rule can be made of so little.
    const late = inAnswer(tool('c', pending, 'bash'), early, event('server.heartbeat'))
    expect(approvals(late)).toHaveLength(1)
    expect(inputsIn(late).at(-1)).toMatchObject({ providerMetadata: { dragoman: { partialInput: true } } })
  })

  it('[S10] no rule can be made of a permission that names no call, and one for a call that is over is asked about', () => {
    const heard = inAnswer(asked({}))
    expect(approvals(heard)).toHaveLength(1)
    expect(inputsIn(heard).at(-1)).toMatchObject({ providerMetadata: { dragoman: { partialInput: true } } })
    const input = { command: 'ls' }
    const over = [tool('c', running(input), 'bash'), tool('c', completed(input, ''), 'bash')]
    expect(approvals(inAnswer(...over, asked(about), event('server.heartbeat')))).toMatchObject([
      { approvalId: 'per_1' },
    ])
  })

  it('[S10] each permission that one call asks for is a question of its own', () => {
    const more = event('permission.asked', {
      id: 'per_2',
      permission: 'external_directory',
      patterns: ['/etc/*'],
      ...about,
    })
    const heard = inAnswer(tool('c', running({ command: 'ls' }), 'bash'), asked(about), more)
    expect(
      inputsIn(heard)
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
    const heard = inAnswer(tool('c', running(input), 'mcp_search'), asked(about))
    expect(inputsIn(heard).at(-1)?.input).toEqual({
      input,
      permission: 'bash',
      patterns: ['ls'],
      metadata: { command: 'ls' },
    })
  })

  it('[P2] an interrupt leaves a question unanswered, and ends its call', () => {
    const heard = heardOf('permission-abort')
    expect(approvals(heard)).toHaveLength(1)
    expect(calls(heard)).toMatchObject([{ state: 'output-error' }])
  })

  it('[P2] questions are asked with their choices', () => {
    const questions = [{ question: 'Which?', header: 'W', options: [{ label: 'A', description: '' }] }]
    const heard = inAnswer(
      tool('c', pending, 'question'),
      event('question.asked', { id: 'que_1', questions, ...about }),
      tool('c', running({ questions }), 'question'),
      event('question.replied', { requestID: 'que_1', answers: [['A']] }),
      tool('c', completed({ questions }, 'A'), 'question'),
    )
    expect(approvals(heard)).toMatchObject([{ approvalId: 'que_1', toolCallId: 'c' }])
    expect(calls(heard)).toMatchObject([{ toolName: 'question', input: { questions } }])
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

  it('[P4] speak in the thread of the call that started them, with their own figures', () => {
    const heard = inAnswer(
      child,
      task(works),
      busy('C'),
      message('ca', 'assistant', {}, 'C'),
      ends('ct', 'Seen.', 'text', 'C'),
      idle('C'),
      idle('C'),
      task(completed(input, 'Seen.', { sessionId: 'C' })),
    )
    expect(heard.messages.map(({ thread }) => thread)).toEqual([null, 'c'])
    expect(partsOf(heard, 'data-subagent')).toMatchObject([
      { id: 'c', data: { agent: 'general', description: 'look', status: 'completed', lastWords: 'Seen.' } },
    ])
  })

  it('[P4] may work again, fail, and use names of calls that their parents use', () => {
    const heard = inAnswer(
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
    expect(heard.messages.filter(({ thread }) => thread === 'c')).toHaveLength(2)
    expect(partsOf(heard, 'data-subagent')).toMatchObject([{ data: { status: 'failed' } }])
    expect(calls(heard).map(({ toolCallId }) => toolCallId)).toContain('C:c')
  })

  it('[P4] a session that nobody started is kept apart', () => {
    const heard = inAnswer(busy('X'), ends('xt', 'Elsewhere.', 'text', 'X'), idle('X'), ends('t', 'Here.'))
    expect(heard.messages).toHaveLength(2)
    expect(calls(heard)).toMatchObject([{ toolCallId: 'X', toolName: 'unknown', output: null }])
  })
})
