import { describe, expect, it } from 'vitest'
import { readInput, withCommand } from './changed-input.ts'
import { isForTerminals, otherFields } from './json-fields.ts'

describe('a changed input', () => {
  it('[T6] keeps the fields beside the command', () => {
    expect(withCommand({ command: 'ls', timeout: 5 }, 'ls -l').input).toEqual({
      command: 'ls -l',
      timeout: 5,
    })
    expect(withCommand({ command: 'ls' }, '  ').problem).toMatch(/Enter a command/)
  })

  it('[T6] is checked before it is sent', () => {
    expect(readInput({ a: 1 }, '{"a":2}')).toEqual({ input: { a: 2 }, problem: null })
    expect(readInput({ a: 1 }, '{"a":').problem).toMatch(/Invalid JSON/)
    expect(readInput({ a: 1 }, '[1]').problem).toMatch(/object/)
    expect(readInput('x', '"y"').input).toBe('y')
  })

  it('[T6] shows every field, even one that looks unimportant', () => {
    expect(otherFields({ command: 'ls', dangerous: true, list: [1] }, ['command'])).toEqual([
      { name: 'dangerous', text: 'true' },
      { name: 'list', text: '[\n  1\n]' },
    ])
  })

  it('[R3] detects characters that could hide text in a terminal', () => {
    expect(isForTerminals({ new_string: 'a\u001b]0;rm -rf /\u0007b' })).toBe(true)
    expect(isForTerminals(['\u009dhidden\u009c'])).toBe(true)
    expect(isForTerminals({ new_string: 'plain\ttext\n' })).toBe(false)
    expect(isForTerminals(undefined)).toBe(false)
  })
})
