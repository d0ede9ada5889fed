import { describe, expect, it } from 'vitest'
import type { ListedApproval } from 'dragoman/client'
import { askedOf, sentenceOf, wantsWords } from './asked.ts'
import { reachOf, ruleToBe } from './rule-words.ts'

const approval = (tool: string, input: unknown) =>
  ({ id: 'a', toolCallId: 'c', tool, input }) as ListedApproval
const kindOf = (tool: string, input: unknown) => askedOf({ tool, input }).kind

describe('what is asked', () => {
  it('[T6] is told apart by the tool and its input', () => {
    expect(kindOf('AskUserQuestion', { questions: [{ question: 'x', options: ['y'] }] })).toBe('questions')
    expect(kindOf('AskUser', { question: 'x', options: ['y'] })).toBe('questions')
    expect(kindOf('elicitation', { message: 'm', requestedSchema: { properties: {} } })).toBe('form')
    expect(kindOf('ExitPlanMode', { plan: '# Plan' })).toBe('plan')
    expect(kindOf('ExitPlanMode', {})).toBe('call')
    expect(kindOf('Bash', { command: 'ls' })).toBe('command')
    expect(kindOf('Edit', { file_path: 'a', old_string: 'b', new_string: 'c' })).toBe('edit')
    expect(kindOf('mcp__shop__buy', { questions: [{ question: 'x', options: ['y'] }] })).toBe('call')
  })

  it('[T6] wants words, or leave', () => {
    expect(wantsWords(askedOf({ tool: 'AskUser', input: { question: 'x', options: ['y'] } }))).toBe(true)
    expect(wantsWords(askedOf({ tool: 'Bash', input: { command: 'ls' } }))).toBe(false)
  })

  it('[T6] is said in a sentence', () => {
    const place = { agent: 'claude-code', cwd: '/w' }
    expect(sentenceOf(approval('Read', { file_path: '/w/a.ts' }), place)).toBe('Asks to read a.ts')
    expect(sentenceOf(approval('Bash', { command: 'ls' }), place)).toBe('Asks to run this command')
  })
})

describe('the rule that "always" makes', () => {
  it('[T6] is of the tool, and where it runs a command only of that one', () => {
    expect(ruleToBe({ tool: 'Edit', input: { path: 'a' } })).toEqual({ tool: 'Edit', command: null })
    const command = ruleToBe({ tool: 'Bash', input: { command: 'ls' } })
    expect(command).toEqual({ tool: 'Bash', command: 'ls' })
    expect(command && reachOf(command)).toBe('only this very command, in this session')
  })

  it('[T6] is of what a person changed, and none where no command is left', () => {
    const asked = { tool: 'Bash', input: { command: 'ls' } }
    expect(ruleToBe(asked, { command: 'ls -l' })).toEqual({ tool: 'Bash', command: 'ls -l' })
    expect(ruleToBe(asked, { script: 'ls' })).toBeNull()
  })
})
