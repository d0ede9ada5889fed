import { describe, expect, it } from 'vitest'
import { labelsOf, strokeOf, strokesOf, type Press } from './keys.ts'

const pressed = (key: string, held: Partial<Press> = {}): Press => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

describe('keys', () => {
  it('[W7] are written in one way, whatever the order', () => {
    expect(strokesOf('g d')).toEqual(['g', 'd'])
    expect(strokesOf('shift+mod+K')).toEqual(['mod+shift+k'])
    expect(strokesOf('mod++')).toEqual(['mod++'])
    expect(strokesOf(' escape   escape ')).toEqual(['escape', 'escape'])
  })

  it('[W7] “mod” is the key that the operating system uses', () => {
    expect(strokeOf(pressed('k', { ctrlKey: true }), false)).toBe('mod+k')
    expect(strokeOf(pressed('k', { metaKey: true }), true)).toBe('mod+k')
    expect(strokeOf(pressed('k', { ctrlKey: true }), true)).toBe('ctrl+k')
    expect(strokeOf(pressed('k', { metaKey: true }), false)).toBeNull()
  })

  it('[W7] symbols ignore Shift, letters include it', () => {
    expect(strokeOf(pressed('?', { shiftKey: true }), false)).toBe('?')
    expect(strokeOf(pressed('J', { shiftKey: true }), false)).toBe('shift+j')
    expect(strokeOf(pressed('ArrowDown', { altKey: true }), false)).toBe('alt+down')
    expect(strokeOf(pressed('∆', { altKey: true, code: 'KeyJ' }), true)).toBe('alt+j')
    expect(strokeOf(pressed('Enter', { shiftKey: true }), false)).toBe('shift+enter')
    expect(strokeOf(pressed(' '), false)).toBe('space')
    for (const key of ['Shift', 'Control', 'Alt', 'Meta', 'Dead'])
      expect(strokeOf(pressed(key), false)).toBeNull()
  })

  it('[W7] are shown as on the keyboard', () => {
    expect(labelsOf('mod+k', false)).toEqual(['Ctrl', 'K'])
    expect(labelsOf('mod+shift+k', true)).toEqual(['⌘', '⇧', 'K'])
    expect(labelsOf('alt+down', false)).toEqual(['Alt', '↓'])
    expect(labelsOf('g', false)).toEqual(['g'])
    expect(labelsOf('?', true)).toEqual(['?'])
    expect(labelsOf('escape', false)).toEqual(['Esc'])
    expect(labelsOf('mod+.', false)).toEqual(['Ctrl', '.'])
  })
})
