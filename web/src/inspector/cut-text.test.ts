import { describe, expect, it } from 'vitest'
import { jsonIn, sliceOf } from './cut-text.ts'

describe('long lines', () => {
  it('[W4] are shown a slice at a time, and all slices together are the text', () => {
    const text = 'abc😀def'.repeat(1000)
    const { count } = sliceOf(text, 0, 100)
    const all = Array.from({ length: count }, (_, index) => sliceOf(text, index, 100).text)
    expect(all.join('')).toBe(text)
    expect(Math.max(...all.map(each => each.length))).toBeLessThanOrEqual(101)
    expect(all.every(each => each.isWellFormed())).toBe(true)
  })
  it('[W4] stay at the first or last slice', () => {
    expect(sliceOf('abc', 7, 2)).toEqual({ text: 'c', number: 1, count: 2 })
    expect(sliceOf('', -1)).toEqual({ text: '', number: 0, count: 1 })
  })
  it('[W4] are formatted as JSON only where that is fast', () => {
    expect(jsonIn('{"a":[1]}')).toEqual({ a: [1] })
    expect(jsonIn('not json {')).toBeUndefined()
    expect(jsonIn(JSON.stringify('x'.repeat(10 << 20)))).toBeUndefined()
  })
})
