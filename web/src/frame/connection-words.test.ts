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

describe('what is told of the connection', () => {
  it('[W7] nothing while all is well, or while nothing was tried yet', () => {
    expect(note({})).toBeNull()
    expect(note({ state: 'connecting', phase: null })).toBeNull()
    expect(note({ state: 'idle' })).toBeNull()
  })

  it('[W7] a server on the same machine is reached without a network', () => {
    expect(note({ isOnline: false })).toBeNull()
  })

  it('[W7] where prompts do not get through, an old connection that seems open is not believed', () => {
    expect(note({ isOnline: false, unsent: 1 })?.kind).toBe('offline')
    expect(note({ unsent: 1 })).toBeNull()
  })

  it('[W7] offline, unreachable and catching up are told apart', () => {
    expect(note({ state: 'waiting', isOnline: false })?.kind).toBe('offline')
    expect(note({ state: 'waiting' })?.kind).toBe('unreachable')
    expect(note({ state: 'connecting', problem: 'It closed.' })?.kind).toBe('unreachable')
    expect(note({ phase: 'catching-up' })?.kind).toBe('catching-up')
  })

  it('[S11] a browser that is not signed in is told how to sign in, not that the server is away', () => {
    const out = note({ state: 'waiting', isSignedOut: true, unsent: 1 })
    expect(out?.kind).toBe('signed-out')
    expect(out?.text).toContain('dragoman open')
    expect(out?.text).toContain('Your unsent messages stay here.')
    expect(note({ isSignedOut: true })).toBeNull()
  })

  it('[W7] a page that has read nothing yet does not pretend to show what it heard', () => {
    const heard = 'You’re seeing the last known state.'
    for (const isOnline of [true, false]) {
      const lost = { state: 'waiting', isOnline } as const
      expect(note(lost)?.text).toContain(heard)
      const text = note({ ...lost, isRead: false })?.text
      expect(text).not.toContain(heard)
      expect(text).toMatch(/Nothing has loaded yet/)
      expect(text).toMatch(/retrying/)
    }
  })

  it('[W7] says what becomes of prompts, and how many wait', () => {
    expect(note({ state: 'waiting' })?.text).toContain('Messages you send now')
    expect(note({ state: 'waiting', unsent: 1 })?.text).toContain('1 message will be sent')
    expect(note({ state: 'waiting', unsent: 3 })?.text).toContain('3 messages will be sent')
  })
})
