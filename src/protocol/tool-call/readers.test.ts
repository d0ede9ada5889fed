import { describe, expect, it } from 'vitest'
import { commandOf } from './command.ts'
import { editsOf } from './edits.ts'
import { fullPath } from './path.ts'
import { resourcesOf } from './resources.ts'

const cwd = '/workspace'

describe('what a call is about', () => {
  it('[X4] the same file has the same key, for any spelling and any agent', () => {
    const calls = [
      { tool: 'Read', input: { file_path: '/workspace/src/a.ts' } },
      { tool: 'read', input: { filePath: 'src/a.ts' }, cwd },
      { tool: 'read_file', input: { file_path: './src/../src/a.ts' }, cwd },
      { tool: 'read_file', input: { kind: 'read', locations: [{ path: '/workspace/src/a.ts' }] } },
      { tool: 'Edit', input: { file_path: '/workspace//src/a.ts', old_string: 'a', new_string: 'b' } },
      { tool: 'fileChange', input: { changes: [{ path: '/workspace/src/a.ts', kind: { type: 'update' } }] } },
      {
        tool: 'apply_patch',
        input: '*** Begin Patch\n*** Update File: src/a.ts\n-a\n+b\n*** End Patch',
        cwd,
      },
    ]
    for (const call of calls) expect(resourcesOf(call)).toEqual([{ key: 'file:/workspace/src/a.ts' }])
  })

  it('[X4] a read of b.ts is not about a.ts', () => {
    const [a] = resourcesOf({ tool: 'Read', input: { file_path: '/a.ts' } })
    const [b] = resourcesOf({ tool: 'Read', input: { file_path: '/b.ts' } })
    expect(a?.key).not.toBe(b?.key)
  })

  it('[X4] a part of a file has its lines', () => {
    const range = (input: Record<string, number>) =>
      resourcesOf({ tool: 'Read', input: { file_path: '/a', ...input } })[0]?.range
    expect(range({ offset: 11, limit: 20 })).toEqual({ from: 11, to: 30 })
    expect(range({ limit: 20 })).toEqual({ from: 1, to: 20 })
    expect(range({ offset: 5 })).toEqual({ from: 5, to: null })
    expect(range({ start_line: 2, end_line: 4 })).toEqual({ from: 2, to: 4 })
    expect(range({})).toBeUndefined()
  })

  it('[X4] the same search has the same key, for any order of its fields', () => {
    const one = resourcesOf({ tool: 'Grep', input: { pattern: 'x', path: 'src', '-n': true }, cwd })
    const two = resourcesOf({
      tool: 'Grep',
      input: { '-n': true, path: '/workspace/src', pattern: 'x' },
      cwd,
    })
    const other = resourcesOf({ tool: 'Grep', input: { pattern: 'y', path: 'src' }, cwd })
    expect(one).toEqual(two)
    expect(one).not.toEqual(other)
  })

  it('[X4] a command is the same without the shell around it', () => {
    const commands = [
      { tool: 'Bash', input: { command: 'npm test' }, agent: 'claude-code' },
      { tool: 'commandExecution', input: { command: "/bin/bash -lc 'npm test'" }, agent: 'codex' },
      { tool: 'shell', input: { command: ['bash', '-lc', 'npm test'] }, agent: 'codex' },
      { tool: 'run_shell_command', input: { title: 'npm test', kind: 'execute' }, agent: 'gemini-cli' },
    ]
    for (const call of commands) expect(commandOf({ ...call, cwd })?.command).toBe('npm test')
    expect(new Set(commands.map(call => resourcesOf({ ...call, cwd })[0]?.key)).size).toBe(1)
    expect(commandOf({ tool: 'Bash', input: { command: `bash -lc 'echo '\\''a'\\'''` } })?.command).toBe(
      "echo 'a'",
    )
    expect(commandOf({ tool: 'Read', input: { command: 'no' } })).toBeNull()
  })

  it('[X4] an input of any shape is read without errors', () => {
    const inputs = [
      undefined,
      null,
      1,
      '',
      'x',
      [],
      {},
      { file_path: 3 },
      { changes: [null] },
      { edits: [1] },
    ]
    for (const tool of ['Read', 'Edit', 'Write', 'Bash', 'Grep', 'WebFetch', 'TodoWrite', 'nobody'])
      for (const input of inputs) {
        expect(() => resourcesOf({ tool, input })).not.toThrow()
        expect(() => editsOf({ tool, input })).not.toThrow()
      }
  })
})

describe('what a call changes', () => {
  it('[X10] counts the lines that differ', () => {
    const [edit] = editsOf({
      tool: 'Edit',
      input: { file_path: 'a.ts', old_string: 'a\nb\nc\n', new_string: 'a\nB\nB2\nB3\nc\n' },
    })
    expect(edit?.lines).toEqual({ added: 3, removed: 1 })
    expect(edit?.replaced).toEqual([{ from: 'a\nb\nc\n', to: 'a\nB\nB2\nB3\nc\n' }])
  })

  it('[X10] reads a patch of several files', () => {
    const patch = [
      '*** Begin Patch',
      '*** Add File: new.ts',
      '+one',
      '+two',
      '*** Update File: a.ts',
      '*** Move to: b.ts',
      '@@ function x',
      ' keep',
      '-old',
      '+new',
      '*** Delete File: gone.ts',
      '*** End Patch',
    ].join('\n')
    expect(editsOf({ tool: 'apply_patch', input: { patchText: patch } })).toEqual([
      { path: 'new.ts', kind: 'add', replaced: [], lines: { added: 2, removed: 0 } },
      {
        path: 'a.ts',
        kind: 'update',
        movedTo: 'b.ts',
        replaced: [{ from: 'keep\nold', to: 'keep\nnew' }],
        lines: { added: 1, removed: 1 },
      },
      { path: 'gone.ts', kind: 'delete', replaced: [], lines: null },
    ])
  })
})

describe('a path in one spelling', () => {
  it('[X4] has no dots and no doubled slashes', () => {
    expect(fullPath('a/./b//../c', '/w')).toBe('/w/a/c')
    expect(fullPath('/../../x', '/w')).toBe('/x')
    expect(fullPath('../x', '/w/y')).toBe('/w/x')
    expect(fullPath('../x', null)).toBe('../x')
    expect(fullPath('file:///a/b', '/w')).toBe('/a/b')
  })
})
