import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import type { RawMessage } from '../agent.ts'
import {
  call,
  chunksOf,
  done,
  news,
  ofType,
  opened,
  prompt,
  recordedTools,
  textContent,
  toolsOf,
} from './lines.fixture.ts'

type Facts = Readonly<Record<string, Json>>

describe('tool calls over ACP', () => {
  it('[P3] a stopped command is not a success, although Gemini CLI calls it completed', () => {
    const [part] = toolsOf([
      call('c', { title: 'sleep 20', kind: 'execute' }),
      news('c', {
        status: 'completed',
        content: textContent('Command cancelled by user.\n\nOutput: started'),
      }),
      done(),
    ])
    expect(part).toMatchObject({
      state: 'output-error',
      errorText: expect.stringContaining('cancelled by user'),
    })
  })

  it('[R2] a long input is not repeated for each new title or location, a short one is shown with them', () => {
    const shown = (text: string) => {
      const titles = Array.from({ length: 50 }, (_, at) =>
        news('c', { title: `Step ${at}`, locations: [{ path: `/${at}` }] }),
      )
      const lines = [call('c', { title: 'Write', kind: 'edit', rawInput: { text } }), ...titles]
      const end = [news('c', { status: 'completed', content: textContent('ok') }), done()]
      return ofType(chunksOf([...lines, ...end]), 'tool-input-available')
    }
    expect(shown('x'.repeat(100_000)).length).toBeLessThan(3)
    expect(shown('short').length).toBeGreaterThan(50)
  })

  it('[P3] the name of a tool is found in every field that agents use', () => {
    const nameOf = (...lines: readonly RawMessage[]) => toolsOf([...lines, done()])[0]?.toolName
    expect(nameOf(call('c', { name: 'Bash', title: 'ls', kind: 'execute' }))).toBe('Bash')
    expect(nameOf(call('c', { title: 'ls -l', _meta: { claudeCode: { toolName: 'Bash' } } }))).toBe('Bash')
    expect(nameOf(call('c', { title: 'Shell', _meta: { toolName: 'run_shell_command' } }))).toBe(
      'run_shell_command',
    )
    expect(nameOf(call('read_file__read_file_1794710842403_0', { title: 'a.txt' }))).toBe('read_file')
    expect(nameOf(call('c', { title: 'bash', kind: 'execute' }), news('c', { title: 'ls -l' }))).toBe('bash')
    expect(nameOf(call('c', { title: 'ls -l', kind: 'execute' }))).toBe('execute')
    expect(nameOf(call('c', { title: 'ls -l', kind: 'other' }))).toBe('tool')
    expect(
      nameOf(call('c', { title: 'ls -l' }), news('c', { name: 'exec_command', status: 'completed' })),
    ).toBe('exec_command')
  })

  it('[P3] a growing input is shown, and a call without one is described', () => {
    const [grown] = toolsOf([
      call('c', { rawInput: {} }),
      news('c', { rawInput: { a: 1 } }),
      news('c', { rawInput: { a: 1, b: 2 } }),
      done(),
    ])
    expect(grown?.input).toEqual({ a: 1, b: 2 })
    const [described] = toolsOf([
      call('c', {
        title: 'Writing to a',
        kind: 'edit',
        status: 'in_progress',
        content: [{ type: 'diff', path: '/a', newText: 'x' }],
      }),
      news('c', { status: 'completed', content: textContent('Done.') }),
      done(),
    ])
    expect(described?.input).toEqual({
      title: 'Writing to a',
      kind: 'edit',
      content: [{ type: 'diff', path: '/a', newText: 'x' }],
    })
    expect(described).toMatchObject({ state: 'output-available', output: { output: 'Done.' } })
  })

  it('[P3] an update may be the first and only message about a call', () => {
    expect(
      toolsOf([
        news('c', { status: 'failed', kind: 'read', content: textContent('No such thing.') }),
        done(),
      ]),
    ).toMatchObject([{ toolName: 'read', input: { kind: 'read' }, errorText: 'No such thing.' }])
  })

  it('[P3] the text and the exit code of a call have the names that clients know, and are not repeated', () => {
    const given = (more: Readonly<Record<string, Json>>) => {
      const [part] = toolsOf([call('c', { title: 'x' }), news('c', { status: 'completed', ...more }), done()])
      return part?.state === 'output-available' ? part.output : null
    }
    expect(given({ rawOutput: 'A', content: textContent('A') })).toEqual({ output: 'A' })
    expect(given({ rawOutput: 'A', content: textContent('```A```') })).toEqual({
      output: 'A',
      content: textContent('```A```'),
    })
    expect(given({ rawOutput: { output: 'A', metadata: { exit: 3 } } })).toEqual({
      output: 'A',
      exitCode: 3,
      rawOutput: { output: 'A', metadata: { exit: 3 } },
    })
    expect(given({ content: [{ type: 'diff', path: '/a', newText: 'x' }] })).toEqual({
      content: [{ type: 'diff', path: '/a', newText: 'x' }],
    })
    expect(given({})).toEqual({})
  })

  it('[P3] a failure shows the most useful text, and keeps the rest', () => {
    const failed = (more: Facts) =>
      toolsOf([call('c', { title: 'x' }), news('c', { status: 'failed', ...more }), done()])[0]
    expect(failed({ rawOutput: 'Exit code 3' })).toMatchObject({ errorText: 'Exit code 3' })
    expect(failed({ content: textContent('Bad'), rawOutput: { exitCode: 3 } })).toMatchObject({
      errorText: 'Bad',
      callProviderMetadata: { acp: { result: { rawOutput: { exitCode: 3 } } } },
    })
    expect(failed({ rawOutput: { error: 'Broken' } })).toMatchObject({ errorText: 'Broken' })
    expect(failed({ rawOutput: { odd: 1 } })).toMatchObject({ errorText: '{"odd":1}' })
    expect(failed({})).toMatchObject({ errorText: 'The tool failed and did not say why.' })
  })

  it('[P7] a cancelled answer counts as interrupted, not as finished', () => {
    const endOf = (stopReason: string) =>
      ofType(chunksOf([...opened, prompt(), call('c'), done(3, stopReason)]), 'finish')[0]?.messageMetadata
    expect(endOf('cancelled')).toMatchObject({ reason: 'interrupted' })
    expect(endOf('end_turn')).toMatchObject({ reason: 'finished' })
  })

  it('[P3] unfinished calls of a cancelled agent end as errors', () => {
    const [left] = recordedTools('codex-acp-cancel-tool-time')
    expect(left).toMatchObject({ state: 'output-error', errorText: 'Interrupted before there was a result.' })
    expect(toolsOf([call('c', { status: 'in_progress' }), done(3, 'cancelled')])).toMatchObject([
      { state: 'output-error' },
    ])
  })

  it('[P3] a result after the end of the answer is added to its call', () => {
    const lines = [
      call('c', { title: 'x', status: 'in_progress' }),
      done(),
      news('c', { status: 'completed', rawOutput: 1 }),
    ]
    expect(toolsOf(lines)).toMatchObject([{ state: 'output-available', output: { rawOutput: 1 } }])
    expect(
      toolsOf([done(), call('c', { title: 'x' }), news('c', { status: 'completed', rawOutput: 2 })]),
    ).toMatchObject([{ output: { rawOutput: 2 } }])
  })

  it('[P3] output of a running call is shown, a long one only when it has grown', () => {
    const lines = Array.from({ length: 400 }, (_, at) =>
      news('c', { status: 'in_progress', content: textContent('x'.repeat(100 * (at + 1))) }),
    )
    const chunks = chunksOf([
      ...opened,
      prompt(),
      call('c', { rawInput: {}, status: 'in_progress' }),
      ...lines,
      news('c', { status: 'completed' }),
      done(),
    ])
    const outputs = ofType(chunks, 'tool-output-available')
    expect(outputs.length).toBeLessThan(80)
    expect(outputs.at(-1)).not.toHaveProperty('preliminary')
    expect(JSON.stringify(outputs.at(-1)).length).toBeGreaterThan(40_000)
  })

  it('[P2] a plan in the input of a tool is shown as todos', () => {
    const todos = [{ content: 'Look', status: 'in_progress' }]
    const chunks = chunksOf([
      ...opened,
      prompt(),
      call('c', { title: 'todowrite', rawInput: { todos } }),
      done(),
    ])
    expect(ofType(chunks, 'data-todos')).toMatchObject([
      { data: { todos: [{ text: 'Look', status: 'in-progress' }] } },
    ])
  })
})
