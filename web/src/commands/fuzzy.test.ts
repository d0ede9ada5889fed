import { describe, expect, it } from 'vitest'
import { fit } from './fuzzy.ts'

const best = (typed: string, ...texts: readonly string[]) =>
  texts
    .map(text => ({ text, match: fit(typed, text) }))
    .filter(({ match }) => match !== null)
    .toSorted((a, b) => (b.match?.score ?? 0) - (a.match?.score ?? 0))
    .map(({ text }) => text)

const meant = (typed: string, text: string) =>
  (fit(typed, text)?.places ?? []).map(place => text[place]).join('')

describe('a search text', () => {
  it('[W7] matches where its letters appear in order, and nowhere else', () => {
    expect(fit('gdb', 'Go to the dashboard')).not.toBeNull()
    expect(fit('xyz', 'Go to the dashboard')).toBeNull()
    expect(fit('draobhsad', 'Go to the dashboard')).toBeNull()
    expect(fit('', 'anything')).toMatchObject({ places: [] })
  })

  it('[W7] matches words in any order', () => {
    expect(meant('board go', 'Go to the dashboard')).toBe('Goboard')
  })

  it('[W7] prefers starts of words over letters inside words', () => {
    expect(fit('ns', 'Open a new session')?.places).toEqual([7, 11])
    expect(meant('SESS', 'A session about sessions')).toBe('sess')
  })

  it('[W7] prefers whole words, then starts of words, then short texts', () => {
    expect(best('the', 'Go to the dashboard', 'Theme: dark', 'T h e')[0]).toBe('Theme: dark')
    expect(best('dash', 'Redashed', 'Dashboard')).toEqual(['Dashboard', 'Redashed'])
    expect(best('new', 'New session', 'New session in the same folder')[0]).toBe('New session')
  })

  it('[W7] accepts every character that can be typed', () => {
    for (const typed of ['(', '[a-z', '\\', '*', '🙂', '\u202e', '  '])
      expect(() => fit(typed, 'A text (with [signs] \\ and 🙂)')).not.toThrow()
  })
})
