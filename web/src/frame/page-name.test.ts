import { expect, it } from 'vitest'
import { placeName, windowTitle } from './page-name.ts'

it('[W7] the window is named after the session and how many wait', () => {
  expect(windowTitle('Fix the door', 0)).toBe('Fix the door · Dragoman')
  expect(windowTitle('Fix the door', 2)).toBe('(2) Fix the door · Dragoman')
  expect(windowTitle('Dragoman', 0)).toBe('Dragoman')
})

it('[W7] each place has a name, a session also before it is known', () => {
  expect(placeName({ page: 'session', session: 's' }, undefined)).toBe('Session')
  expect(placeName({ page: 'session', session: 's' }, null)).toBe('Untitled')
  expect(placeName({ page: 'session', session: 's' }, 'A')).toBe('A')
  expect(placeName({ page: 'replay', session: 's' }, 'A')).toBe('Replay of A')
  expect(placeName({ page: 'dashboard' }, undefined)).toBe('Dashboard')
})

it('[R3] characters that nobody sees do not get into the title', () => {
  expect(placeName({ page: 'session', session: 's' }, 'a\u202Eb')).not.toContain('\u202E')
})
