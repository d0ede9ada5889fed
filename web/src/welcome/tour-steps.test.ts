import { describe, expect, it } from 'vitest'
import { demoSteps } from '../../../src/agents/scripted/demo.ts'
import { tourSteps } from './tour-steps.ts'

const answer = (text: string) => JSON.stringify(demoSteps({ text, files: 0, resumed: false }))

describe('the steps of the tour', () => {
  it('[A11] ask only for what the demo understands', () => {
    for (const prompt of tourSteps.flatMap(({ prompts = [] }) => prompts))
      expect([prompt, answer(prompt)]).not.toEqual([
        prompt,
        expect.stringContaining('I am a scripted agent') as string,
      ])
  })

  it('[A11] show everything that the demo can do, except what breaks it', () => {
    const shown = tourSteps.flatMap(({ prompts = [] }) => prompts.map(answer)).join('')
    const phrases = [...answer('hello').matchAll(/\*\*([^*]+)\*\*/g)].map(([, phrase = '']) => phrase)
    expect(phrases.length).toBeGreaterThan(15)
    const left = phrases.filter(phrase => !shown.includes(answer(phrase).slice(1, -1)))
    expect(left).toEqual(['everything', 'a hang', 'a crash'])
  })

  it('[W1] have their own title and something to look at', () => {
    expect(new Set(tourSteps.map(({ title }) => title)).size).toBe(tourSteps.length)
    for (const { look } of tourSteps) expect(look.join(' ')).toMatch(/^[A-Z“].*\.$/)
  })
})
