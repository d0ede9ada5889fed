import { describe, expect, it } from 'vitest'
import { demoSteps } from './demo.ts'
import type { Step } from './script.ts'

const phrases = [
  'everything',
  'a long answer',
  'thinking',
  'tools',
  'an approval',
  'a question',
  'a subagent',
  'an image',
  'todos',
  'a retraction',
  'a change to approve',
  'markdown',
  'edits',
  'a command',
  'a search',
  'reading twice',
  'a compaction',
  'a warning',
  'an error',
  'a hang',
  'a crash',
]

const stepsFor = (text: string) => demoSteps({ text, files: 0, resumed: false })
const wordsOf = (steps: readonly Step[]) =>
  steps.map(step => (step.type === 'text' ? step.text : '')).join('')
const welcome = stepsFor('hello').length

describe('demo', () => {
  it('[A11] answers any other prompt with a list of its phrases', () => {
    const text = wordsOf(demoSteps({ text: 'What is\u2028the weather?', files: 2, resumed: true }))
    expect(text).toContain('Welcome back! ')
    expect(text).toContain('“What is the weather?” and 2 files')
    for (const phrase of phrases) expect(text).toContain(`**${phrase}**`)
  })

  it.each(phrases)('[A11] understands "%s" anywhere and in any case', phrase => {
    const steps = stepsFor(`Could you SHOW me ${phrase.toUpperCase()}, please?`)
    expect(wordsOf(steps)).not.toContain('Hello!')
    expect(steps).toEqual(stepsFor(phrase))
    expect(steps.length).toBeGreaterThanOrEqual(welcome)
  })

  it('[A11] a long answer streams for 6 to 20 seconds', () => {
    const milliseconds = stepsFor('a long answer').reduce(
      (sum, step) =>
        sum + (step.type === 'text' ? (step.text.match(/\S+/g) ?? []).length * (step.every ?? 0) : 0),
      0,
    )
    expect(milliseconds).toBeGreaterThan(7_000)
    expect(milliseconds).toBeLessThan(16_000)
  })

  it('[A11] the demo takes about a minute, and asks one approval', () => {
    const steps = stepsFor('Show me the demo')
    const lengthOf = (step: Step) => {
      const words = 'text' in step && step.text !== undefined ? (step.text.match(/\S+/g) ?? []).length : 0
      const every = 'every' in step ? (step.every ?? 0) : 0
      const calls = step.type === 'tools' ? step.calls.map(({ takes = 0 }) => takes) : []
      return (step.delay ?? 0) + words * every + Math.max(0, ...calls)
    }
    const seconds = steps.reduce((sum, step) => sum + lengthOf(step), 0) / 1000
    expect(seconds).toBeGreaterThan(40)
    expect(seconds).toBeLessThan(65)
    const kinds = steps.map(({ type }) => type)
    expect(kinds.filter(kind => kind === 'approval')).toHaveLength(1)
    for (const kind of ['thinking', 'text', 'todos', 'tools']) expect(kinds).toContain(kind)
  })

  it('[A11] "everything" never ends the answer, and of several phrases the fatal one comes last', () => {
    const kinds = new Set(stepsFor('everything').map(({ type }) => type))
    for (const kind of ['error', 'hang', 'crash'] as const) expect(kinds).not.toContain(kind)
    const both = stepsFor('a crash and todos').map(({ type }) => type)
    expect(both[0]).toBe('todos')
    expect(both.at(-1)).toBe('crash')
  })
})
