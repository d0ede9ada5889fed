import { describe, expect, it } from 'vitest'
import { call, done, news, ours, recordedTools, theirs, toolsOf, update } from './lines.fixture.ts'

describe('terminals over ACP', () => {
  it('[P3] collects what adapters report outside the protocol', () => {
    const piece = (data: string) => news('c', { _meta: { terminal_output: { terminal_id: 't', data } } })
    const [ticks] = toolsOf([
      call('c', { title: 'tick', content: [{ type: 'terminal', terminalId: 't' }], status: 'in_progress' }),
      piece('one\n'),
      piece('two\n'),
      news('c', {
        status: 'completed',
        _meta: { terminal_exit: { terminal_id: 't', exit_code: 0, signal: null } },
      }),
      done(),
    ])
    expect(ticks).toMatchObject({
      output: { output: 'one\ntwo\n', exitCode: 0, terminals: { t: { exitCode: 0 } } },
    })
    expect(recordedTools('codex-acp-shell-allow')[0]).toMatchObject({
      errorText: 'out-line\nerr-line\nExit code 3.',
    })
  })

  it('[P3] version 2 sends bytes, which may split a character', () => {
    const bytes = Buffer.from('a é 👩 z')
    const pieces = Array.from({ length: bytes.length }, (_, at) =>
      update('terminal_output_chunk', {
        terminalId: 't',
        data: bytes.subarray(at, at + 1).toString('base64'),
      }),
    )
    const [shell] = toolsOf([
      update('terminal_update', { terminalId: 't', command: 'echo', cwd: '/work' }),
      news('c', { title: 'echo', content: [{ type: 'terminal', terminalId: 't' }], status: 'in_progress' }),
      ...pieces,
      update('terminal_update', { terminalId: 't', exitStatus: { exitCode: 0 } }),
      news('c', { status: 'completed' }),
      done(),
    ])
    expect(shell).toMatchObject({
      output: { output: 'a é 👩 z', exitCode: 0, terminals: { t: { command: 'echo' } } },
    })
  })

  it('[P3] version 2 adds content block by block, and replaces the output of a terminal', () => {
    const block = (text: string) =>
      update('tool_call_content_chunk', {
        toolCallId: 'c',
        content: { type: 'content', content: { type: 'text', text } },
      })
    const output = (text: string) =>
      update('terminal_update', { terminalId: 't', output: { data: Buffer.from(text).toString('base64') } })
    const [shell] = toolsOf([
      news('c', { title: 'x', content: [{ type: 'terminal', terminalId: 't' }] }),
      block('One.'),
      output('old'),
      output('new'),
      news('c', { status: 'completed' }),
      done(),
    ])
    expect(shell).toMatchObject({ output: { terminals: { t: { output: 'new' } } } })
    expect(JSON.stringify(shell)).toContain('One.')
  })

  it('[A8] the output of our own terminals is read from our answers', () => {
    const create = theirs({
      id: 0,
      method: 'terminal/create',
      params: { command: 'ls', args: ['-l'], cwd: '/work' },
    })
    const wait = theirs({ id: 1, method: 'terminal/wait_for_exit', params: { terminalId: 't' } })
    const [shell] = toolsOf([
      create,
      ours({ id: 0, result: { terminalId: 't' } }),
      call('c', { title: 'ls', content: [{ type: 'terminal', terminalId: 't' }] }),
      wait,
      ours({
        id: 1,
        result: { exitCode: 0, signal: null, _meta: { dragoman: { output: 'a.txt\n', truncated: false } } },
      }),
      news('c', { status: 'completed' }),
      done(),
    ])
    expect(shell).toMatchObject({
      output: { output: 'a.txt\n', exitCode: 0, terminals: { t: { command: 'ls -l' } } },
    })
  })
})
