import { describe, expect, it } from 'vitest'
import { connectionNote, type ConnectionFacts } from './connection-words.ts'

const fine: ConnectionFacts = {
  state: 'open',
  problem: null,
  isOnline: true,
  phase: 'live',
  isRead: true,
  unsent: 0,
  isSignedOut: false,
}
const note = (given: Partial<ConnectionFacts>) => connectionNote({ ...fine, ...given })

describe('the connection banner', () => {
  it('[W7] is empty while the connection works, or before the first attempt', () => {
    expect(note({})).toBeNull()
    expect(note({ state: 'connecting', phase: null })).toBeNull()
    expect(note({ state: 'idle' })).toBeNull()
  })

  it('[W7] stays empty offline when the server is on the same machine', () => {
    expect(note({ isOnline: false })).toBeNull()
  })

  it('[W7] does not trust an open connection when prompts fail to arrive', () => {
    expect(note({ isOnline: false, unsent: 1 })?.kind).toBe('offline')
    expect(note({ unsent: 1 })).toBeNull()
  })

  it('[W7] distinguishes offline, unreachable and catching up', () => {
    expect(note({ state: 'waiting', isOnline: false })?.kind).toBe('offline')
    expect(note({ state: 'waiting' })?.kind).toBe('unreachable')
    expect(note({ state: 'connecting', problem: 'It closed.' })?.kind).toBe('unreachable')
    expect(note({ phase: 'catching-up' })?.kind).toBe('catching-up')
  })

  it('[S11] tells a browser that is not signed in how to sign in, not that the server is down', () => {
    const out = note({ state: 'waiting', isSignedOut: true, unsent: 1 })
    expect(out?.kind).toBe('signed-out')
    expect(out?.text).toContain('dragoman open')
    expect(out?.text).toContain('Your unsent messages stay here.')
    expect(note({ isSignedOut: true })).toBeNull()
  })

  it('[W7] does not claim to show the last known state before anything was loaded', () => {
    const lastKnown = 'You’re seeing the last known state.'
    for (const isOnline of [true, false]) {
      const lost = { state: 'waiting', isOnline } as const
      expect(note(lost)?.text).toContain(lastKnown)
      const text = note({ ...lost, isRead: false })?.text
      expect(text).not.toContain(lastKnown)
      expect(text).toMatch(/Nothing has loaded yet/)
      expect(text).toMatch(/retrying/)
    }
  })

  it('[W7] states what happens to prompts, and how many are queued', () => {
    expect(note({ state: 'waiting' })?.text).toContain('Messages you send now')
    expect(note({ state: 'waiting', unsent: 1 })?.text).toContain('1 message will be sent')
    expect(note({ state: 'waiting', unsent: 3 })?.text).toContain('3 messages will be sent')
  })
})
