import { describe, expect, it } from 'vitest'
import { between, trimEndOf } from './linear-text.ts'

describe('text that is scanned once', () => {
  it('[S28] loses one character at its end, however often it is there', () => {
    expect(trimEndOf('http://a/b///', '/')).toBe('http://a/b')
    expect(trimEndOf('\n\na\n', '\n')).toBe('\n\na')
    expect(trimEndOf('///', '/')).toBe('')
    expect(trimEndOf('', '/')).toBe('')
  })

  it('[S28] gives what is between the first marks', () => {
    expect(between('x<a>1</a><a>2</a>', '<a>', '</a>')).toBe('1')
    expect(between('</a><a></a>', '<a>', '</a>')).toBe('')
    expect(between('<a>1', '<a>', '</a>')).toBeUndefined()
    expect(between('1</a>', '<a>', '</a>')).toBeUndefined()
  })
})
