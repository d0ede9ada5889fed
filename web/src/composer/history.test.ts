import { describe, expect, it } from 'vitest'
import { fakeStorage } from '../drafts/fake-storage.fixture.ts'
import { createPromptHistory, promptsOf, step } from './history.ts'

describe('the prompt history', () => {
  it('[W3] goes back and forth, and ends at the current draft', () => {
    const prompts = ['newest', 'older']
    const first = step(prompts, null, 'older', 'begun')
    expect(first).toEqual({ text: 'newest', recall: { at: 0, draft: 'begun' } })
    const second = step(prompts, first?.recall ?? null, 'older', 'newest')
    expect(second).toEqual({ text: 'older', recall: { at: 1, draft: 'begun' } })
    expect(step(prompts, second?.recall ?? null, 'older', 'older')).toBeNull()
    expect(step(prompts, second?.recall ?? null, 'newer', 'older')?.text).toBe('newest')
    expect(step(prompts, first?.recall ?? null, 'newer', 'newest')).toEqual({ text: 'begun', recall: null })
    expect(step(prompts, null, 'newer', 'begun')).toBeNull()
  })

  it('[W3] lists this session’s prompts first, and none twice', () => {
    expect(promptsOf(['one', 'two', ' '], ['zero', 'one', 'three'])).toEqual(['two', 'one', 'three', 'zero'])
  })

  it('[W3] is stored in the browser with a limit, and works without storage', () => {
    const history = createPromptHistory(fakeStorage())
    for (let at = 0; at < 150; at += 1) history.add(`prompt ${at}`)
    history.add('prompt 60')
    history.add('x'.repeat(10_001))
    expect(history.list()).toHaveLength(100)
    expect(history.list().at(-1)).toBe('prompt 60')
    const full = createPromptHistory(fakeStorage({ isFull: true }))
    full.add('x')
    expect(full.list()).toEqual([])
  })
})
