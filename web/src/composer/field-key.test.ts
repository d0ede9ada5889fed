import { describe, expect, it } from 'vitest'
import { fieldKey, type FieldPress } from './field-key.ts'

const press = (key: string, more: Partial<FieldPress> = {}) =>
  fieldKey({
    key,
    shift: false,
    held: false,
    composing: false,
    text: '',
    start: 0,
    end: 0,
    columns: 20,
    phone: false,
    ...more,
  })
const at = (text: string, start: number) => ({ text, start, end: start })

describe('a key in the message field', () => {
  it('[W3] Enter sends, and Shift+Enter starts a new line', () => {
    expect(press('Enter')).toBe('send')
    expect(press('Enter', { shift: true })).toBeNull()
    expect(press('Enter', { composing: true })).toBeNull()
  })

  it('[W3] on a phone Enter starts a new line, and Ctrl+Enter sends', () => {
    expect(press('Enter', { phone: true })).toBeNull()
    expect(press('Enter', { phone: true, held: true })).toBe('send')
  })

  it('[W3] Ctrl+Enter sends everywhere', () => {
    expect(press('Enter', { held: true })).toBe('send')
  })

  it('[W3] the arrow keys restore earlier prompts only from the first and the last line', () => {
    expect(press('ArrowUp', at('one\ntwo', 2))).toBe('older')
    expect(press('ArrowUp', at('one\ntwo', 5))).toBeNull()
    expect(press('ArrowDown', at('one\ntwo', 2))).toBeNull()
    expect(press('ArrowDown', at('one\ntwo', 5))).toBe('newer')
    expect(press('ArrowUp', { text: 'one', start: 0, end: 3 })).toBeNull()
  })

  it('[W3] in a wrapped line the arrow keys move through its visual lines first', () => {
    const long = 'x'.repeat(50)
    expect(press('ArrowUp', at(long, 40))).toBeNull()
    expect(press('ArrowUp', at(long, 0))).toBe('older')
    expect(press('ArrowDown', at(long, 10))).toBeNull()
    expect(press('ArrowDown', at(long, 50))).toBe('newer')
  })
})
