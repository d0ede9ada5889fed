import { describe, expect, it } from 'vitest'
import { wayOf } from './route.ts'

const here = 'http://127.0.0.1:4400'
const files = {
  core: ['/theme.js', '/assets/app-1.js'],
  all: ['/theme.js', '/assets/app-1.js', '/assets/mermaid-2.js', '/diagram.html'],
}
const way = (path: string, { mode = 'cors', method = 'GET' } = {}) =>
  wayOf({ method, mode, url: new URL(path, here).href }, here, files)

describe('the service worker', () => {
  it('[W1] answers for the pages of the app when the server cannot', () => {
    for (const path of [
      '/',
      '/s/abc',
      '/s/abc/m/1',
      '/s/abc/replay',
      '/dashboard',
      '/approvals',
      '/settings',
      '/?x=1',
    ])
      expect([path, way(path, { mode: 'navigate' })]).toEqual([path, 'page'])
  })

  it('[W1] ignores API calls, tickets, other hosts and files outside the app', () => {
    for (const path of [
      '/api/sessions',
      '/api/chat',
      '/metrics',
      '/livez',
      '/assets/unknown.js',
      '/worker.js',
    ])
      expect([path, way(path)]).toEqual([path, 'server'])
    expect(way('/api/sessions/x/messages', { mode: 'navigate' })).toBe('server')
    expect(way('/?ticket=abc', { mode: 'navigate' })).toBe('server')
    expect(way('/s/abc', { mode: 'navigate', method: 'POST' })).toBe('server')
    expect(way('https://example.com/assets/app-1.js')).toBe('server')
    expect(way('/dashboard-of-others', { mode: 'navigate' })).toBe('server')
    expect(way('/')).toBe('server')
  })

  it('[W1] serves files with a content hash from the cache', () => {
    expect(way('/assets/app-1.js')).toBe('kept')
    expect(way('/assets/mermaid-2.js')).toBe('kept')
    expect(way('/theme.js')).toBe('kept')
    expect(way('/diagram.html', { mode: 'navigate' })).toBe('fresh')
  })
})
