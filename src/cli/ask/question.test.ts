import { expect, it } from 'vitest'
import { answeredInput, questionsIn } from './question.ts'

it('[O3] recognizes a question by its options, one or several', () => {
  const one = { question: 'Which?', options: ['a', { label: 'b', description: 'the other' }] }
  const read = {
    question: 'Which?',
    options: [
      { label: 'a', description: null },
      { label: 'b', description: 'the other' },
    ],
    several: false,
  }
  expect(questionsIn(one)).toEqual([read])
  expect(questionsIn({ questions: [one, { ...one, multiSelect: true }] })).toEqual([
    read,
    { ...read, several: true },
  ])
  for (const other of [
    null,
    'x',
    {},
    { question: 'x' },
    { question: 'x', options: [] },
    { questions: [one, 1] },
  ])
    expect(questionsIn(other)).toBeNull()
})

it('[O3] returns answers with the list of questions, or alone', () => {
  const answers = new Map([['Which?', 'a']])
  expect(answeredInput({ question: 'Which?', options: ['a'] }, answers)).toEqual({ 'Which?': 'a' })
  expect(answeredInput({ questions: [] }, answers)).toEqual({ questions: [], answers: { 'Which?': 'a' } })
})
