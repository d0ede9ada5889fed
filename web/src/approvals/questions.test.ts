import { describe, expect, it } from 'vitest'
import { answeredInput, answerOf, answersOf, choose, emptyDraft, questionsIn, typeOwn } from './questions.ts'

const listed = {
  questions: [
    {
      question: 'Which colour?',
      header: 'Colour',
      options: [{ label: 'Green', description: 'calm' }, 'Red'],
    },
    { question: 'Which sizes?', options: ['S', 'M'], multiSelect: true },
    { question: 'What name?', options: null, isSecret: true },
  ],
}

describe('the questions of an agent', () => {
  it('[T6] are read from a list, or from a single question', () => {
    const questions = questionsIn(listed)
    expect(questions?.map(({ several, secret, options }) => [several, secret, options.length])).toEqual([
      [false, false, 2],
      [true, false, 2],
      [false, true, 0],
    ])
    expect(questionsIn({ question: 'Which?', options: ['a', 'b'] })).toHaveLength(1)
    expect(questionsIn({ question: 'Which?', options: [{ label: 'a' }], multiple: true })?.[0]?.several).toBe(
      true,
    )
  })

  it('[T6] are not shown as a form when one of them cannot be parsed', () => {
    for (const input of [null, 'x', {}, { question: 'x' }, { question: 'x', options: [] }, { questions: [] }])
      expect(questionsIn(input)).toBeNull()
    expect(questionsIn({ questions: [{ question: 'x', options: [{ text: 'no label' }] }] })).toBeNull()
    expect(questionsIn({ questions: [...listed.questions, 'x'] })).toBeNull()
  })

  it('[T6] accept one option or free text, whichever was chosen last', () => {
    const [colour] = questionsIn(listed) ?? []
    if (colour === undefined) throw new Error('There is a question.')
    const green = choose(emptyDraft, colour, 'Green')
    expect(answerOf(colour, choose(green, colour, 'Red'))).toBe('Red')
    expect(answerOf(colour, typeOwn(green, colour, 'blue'))).toBe('blue')
    expect(answerOf(colour, choose(typeOwn(green, colour, 'blue'), colour, 'Red'))).toBe('Red')
    expect(answerOf(colour, typeOwn(emptyDraft, colour, '  '))).toBeNull()
  })

  it('[T6] accept several options in their listed order, plus free text', () => {
    const sizes = questionsIn(listed)?.[1]
    if (sizes === undefined) throw new Error('There is a question.')
    const both = choose(choose(emptyDraft, sizes, 'M'), sizes, 'S')
    expect(answerOf(sizes, both)).toBe('S, M')
    expect(answerOf(sizes, choose(both, sizes, 'M'))).toBe('S')
    expect(answerOf(sizes, typeOwn(both, sizes, 'XL'))).toBe('S, M, XL')
  })

  it('[T6] are answered together: beside the list, or alone for a single question', () => {
    const questions = questionsIn(listed) ?? []
    const drafts = [
      { chosen: ['Red'], own: '' },
      { chosen: ['S'], own: '' },
    ]
    expect(answersOf(questions, drafts)).toBeNull()
    const answers = answersOf(questions, [...drafts, { chosen: [], own: 'Ada' }])
    const given = { 'Which colour?': 'Red', 'Which sizes?': 'S', 'What name?': 'Ada' }
    expect(answeredInput(listed, answers ?? new Map())).toEqual({ ...listed, answers: given })
    expect(answeredInput({ question: 'Which?' }, new Map([['Which?', 'a']]))).toEqual({ 'Which?': 'a' })
  })
})
