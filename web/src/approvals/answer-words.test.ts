import { describe, expect, it } from 'vitest'
import { DragomanError, UnreachableError } from 'dragoman/client'
import { answerWords, firstWords, refusalWords } from './answer-words.ts'

const settled = (event: unknown) =>
  new DragomanError('approval-settled', 'Was answered already.', { winner: { event } })

describe('the text about an answer', () => {
  it('[W4] states the outcome, who answered, and what was changed', () => {
    const none = { reason: null, always: false }
    expect(answerWords({ ...none, status: 'granted', by: 'person' })).toBe('Allowed by you')
    expect(answerWords({ ...none, status: 'granted', by: 'person', always: true })).toBe(
      'Always allowed by you',
    )
    expect(answerWords({ ...none, status: 'granted', by: 'rule', changedInput: {} })).toBe(
      'Allowed by a rule, with edited input',
    )
    expect(answerWords({ ...none, status: 'lapsed', by: null })).toBe('Expired')
    const question = { tool: 'AskUser', input: { question: 'x', options: ['y'] }, changedInput: { x: 'y' } }
    expect(answerWords({ ...none, ...question, status: 'granted', by: 'person' })).toBe('Answered by you')
    expect(answerWords({ ...none, ...question, status: 'denied', by: 'person' })).toBe('Denied by you')
  })

  it('[T6] states who answered first, if known', () => {
    const answered = { type: 'approval-answered', approved: false, reason: 'not now', by: 'person' }
    expect(refusalWords(settled(answered))).toBe(
      'Someone else, or you in another tab, denied this first: not now',
    )
    expect(refusalWords(settled({ ...answered, approved: true, reason: null, by: 'rule' }))).toBe(
      'A rule allowed this first.',
    )
    expect(refusalWords(settled({ type: 'approval-lapsed', reason: 'The agent went on.' }))).toBe(
      'This request has expired. The agent went on.',
    )
    expect(refusalWords(settled(undefined))).toMatch(/allowed this first/)
    const question = { tool: 'AskUser', input: { question: 'x', options: ['y'] } }
    expect(firstWords({ ...question, status: 'granted', by: 'person', reason: null })).toBe(
      'Someone else, or you in another tab, answered this first.',
    )
  })

  it('[T6] is the server’s message for a refusal, and suggests a retry when the server was not reached', () => {
    expect(refusalWords(new DragomanError('invalid-input', 'Codex cannot.'))).toBe('Codex cannot.')
    expect(refusalWords(new UnreachableError('Can’t reach the server.', null))).toBe(
      'Couldn’t send your answer: Can’t reach the server. Try again.',
    )
  })
})
