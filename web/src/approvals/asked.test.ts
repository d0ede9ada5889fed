import { describe, expect, it } from 'vitest'
import type { ListedApproval } from 'dragoman/client'
import { askedOf, sentenceOf, wantsWords } from './asked.ts'
import { coveredText, ruleToBe, usedText } from './rule-words.ts'

const approval = (tool: string, input: unknown) =>
  ({ id: 'a', toolCallId: 'c', tool, input }) as ListedApproval
const kindOf = (tool: string, input: unknown) => askedOf({ tool, input }).kind

describe('a request', () => {
  it('[T6] is classified by the tool and its input', () => {
    expect(kindOf('AskUserQuestion', { questions: [{ question: 'x', options: ['y'] }] })).toBe('questions')
    expect(kindOf('AskUser', { question: 'x', options: ['y'] })).toBe('questions')
    expect(kindOf('elicitation', { message: 'm', requestedSchema: { properties: {} } })).toBe('form')
    expect(kindOf('ExitPlanMode', { plan: '# Plan' })).toBe('plan')
    expect(kindOf('ExitPlanMode', {})).toBe('call')
    expect(kindOf('Bash', { command: 'ls' })).toBe('command')
    expect(kindOf('Edit', { file_path: 'a', old_string: 'b', new_string: 'c' })).toBe('edit')
    expect(kindOf('mcp__shop__buy', { questions: [{ question: 'x', options: ['y'] }] })).toBe('call')
  })

  it('[T6] needs text, or permission', () => {
    expect(wantsWords(askedOf({ tool: 'AskUser', input: { question: 'x', options: ['y'] } }))).toBe(true)
    expect(wantsWords(askedOf({ tool: 'Bash', input: { command: 'ls' } }))).toBe(false)
  })

  it('[T6] is described in one sentence', () => {
    const place = { agent: 'claude-code', cwd: '/w' }
    expect(sentenceOf(approval('Read', { file_path: '/w/a.ts' }), place)).toBe('Asks to read a.ts')
    expect(sentenceOf(approval('Bash', { command: 'ls' }), place)).toBe('Run this command?')
  })
})

describe('the rule that “always” creates', () => {
  const rule = { tool: 'Bash', input: { command: 'ls', cwd: '/w' } }

  it('[S10] covers the tool and the whole input, and states both', () => {
    expect(ruleToBe({ rule })).toEqual(rule)
    expect(coveredText(rule)).toBe('{"command":"ls","cwd":"/w"}')
    expect(coveredText({ tool: 'Bash', input: { command: 'ls' } })).toBe('ls')
    expect(ruleToBe({ rule: null })).toBeNull()
  })

  it('[S10] covers an edited input, and does not exist when the agent offers none', () => {
    expect(ruleToBe({ rule }, { command: 'ls -l', description: 'List' })).toEqual({
      tool: 'Bash',
      input: { command: 'ls -l' },
    })
    expect(ruleToBe({ rule }, {})).toBeNull()
    expect(ruleToBe({ rule: null }, { command: 'ls -l' })).toBeNull()
  })

  it('[T6] states how often it answered', () => {
    expect([0, 1, 7].map(usedText)).toEqual(['Not used yet', 'Used once', 'Used 7 times'])
  })
})
