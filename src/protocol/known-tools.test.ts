import { describe, expect, it } from 'vitest'
import { toolNamed } from './known-tools.ts'

const familyOf = (name: string, agent: string | null = null) => toolNamed(name, agent).family

describe('the tools that are known by name', () => {
  it('[X10] the usual tools of every agent have one family', () => {
    const same: Readonly<Record<string, readonly (readonly [agent: string, name: string])[]>> = {
      read: [
        ['claude-code', 'Read'],
        ['opencode', 'read'],
        ['gemini-cli', 'read_file'],
        ['acp', 'view'],
        ['model', 'read'],
      ],
      edit: [
        ['claude-code', 'Edit'],
        ['codex', 'fileChange'],
        ['codex', 'apply_patch'],
        ['opencode', 'edit'],
        ['gemini-cli', 'replace'],
        ['model', 'edit'],
      ],
      run: [
        ['claude-code', 'Bash'],
        ['codex', 'commandExecution'],
        ['codex', 'exec_command'],
        ['opencode', 'bash'],
        ['gemini-cli', 'run_shell_command'],
        ['acp', 'execute'],
        ['model', 'run'],
      ],
      todo: [
        ['claude-code', 'TodoWrite'],
        ['codex', 'update_plan'],
        ['opencode', 'todowrite'],
        ['gemini-cli', 'write_todos'],
        ['model', 'todo'],
      ],
      delegate: [
        ['claude-code', 'Agent'],
        ['codex', 'spawnAgent'],
        ['opencode', 'task'],
        ['model', 'delegate'],
      ],
    }
    for (const [family, tools] of Object.entries(same))
      for (const [agent, name] of tools) expect([name, familyOf(name, agent)]).toEqual([name, family])
  })

  it('[X3] Read, Edit, Write, Glob and Grep have one owner', () => {
    const owners = ['Read', 'Edit', 'Write', 'Glob', 'Grep'].map(name => toolNamed(name, 'claude-code').owner)
    expect(new Set(owners)).toEqual(new Set(['fs']))
  })

  it('[X3] a tool of an MCP server is never a known tool', () => {
    for (const agent of ['claude-code', 'codex', 'acp', null])
      expect(toolNamed('mcp__x__Read', agent)).toEqual({ family: 'other', owner: 'mcp:x', effect: 'run' })
  })

  it("[X3] another agent's word for a tool is a stranger here", () => {
    expect(toolNamed('read_file', 'opencode')).toEqual({
      family: 'other',
      owner: 'tool:read_file',
      effect: 'run',
    })
    expect(familyOf('Read', 'codex')).toBe('other')
    expect(familyOf('read', 'claude-code')).toBe('other')
    expect(familyOf('constructor')).toBe('other')
    expect(familyOf('__proto__', 'model')).toBe('other')
  })
})
