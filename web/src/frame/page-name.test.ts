import { expect, it } from 'vitest'
import { placeName, windowTitle } from './page-name.ts'

it('[W7] the window title names the session and how many are waiting', () => {
  expect(windowTitle('Fix the door', 0)).toBe('Fix the door · Dragoman')
  expect(windowTitle('Fix the door', 2)).toBe('(2) Fix the door · Dragoman')
  expect(windowTitle('Dragoman', 0)).toBe('Dragoman')
})

it('[W7] each page has a name, and so does a session that is still loading', () => {
  expect(placeName({ page: 'session', session: 's' }, undefined)).toBe('Session')
  expect(placeName({ page: 'session', session: 's' }, null)).toBe('Untitled')
  expect(placeName({ page: 'session', session: 's' }, 'A')).toBe('A')
  expect(placeName({ page: 'replay', session: 's' }, 'A')).toBe('Replay of A')
  expect(placeName({ page: 'dashboard' }, undefined)).toBe('Dashboard')
})

it('[R3] invisible characters do not get into the title', () => {
  expect(placeName({ page: 'session', session: 's' }, 'a\u202Eb')).not.toContain('\u202E')
})
