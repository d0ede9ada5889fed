import { describe, expect, it } from 'vitest'
import { foundWords, importWords, missingFrom, type ImportState } from './history-words.ts'

const at = (day: string) => Date.parse(`${day}T12:00:00`)
const found = [
  { agent: 'claude-code', sessions: 214, imported: 200, from: at('2025-03-02'), to: at('2026-11-18') },
  { agent: 'codex', sessions: 32, imported: 32, from: at('2025-06-02'), to: at('2026-01-01') },
]
const titleOf = (name: string) => (name === 'codex' ? 'Codex' : 'Claude Code')

describe('the sessions on this machine', () => {
  it('[O1] says how many sessions each agent saved, and since when', () => {
    expect(foundWords(found, titleOf, at('2026-11-18'))).toBe(
      '214 Claude Code sessions, 32 Codex, March 2025 to today',
    )
    expect(foundWords(found, titleOf, at('2026-12-18'))).toMatch(/March 2025 to November 2026$/)
    const one = [{ agent: 'codex', sessions: 1, imported: 0, from: at('2025-06-02'), to: at('2025-06-20') }]
    expect(foundWords(one, titleOf, at('2026-11-18'))).toBe('1 Codex session, June 2025')
    expect(foundWords([], titleOf, 0)).toBe('')
  })

  it('[O1] counts only sessions that are not imported', () => {
    expect([missingFrom(found), missingFrom([])]).toEqual([14, 0])
  })

  it('[O1] says how far an import is, what it skipped, and why it ended', () => {
    const facts = {
      done: 3,
      bytes: 4096,
      bytesDone: 1024,
      skipped: 0,
      failed: 0,
      outcomes: {},
      paused: false,
      failure: null,
    }
    const running: ImportState = { ...facts, endedAt: null, total: 14 }
    expect(importWords({ ...running, total: null })).toBe('Searching for sessions…')
    expect(importWords(running)).toBe('Importing: 3 of 14 sessions, 1.0 KiB of 4.0 KiB')
    expect(importWords({ ...running, paused: true })).toMatch(/^Paused: 3 of 14 sessions/)
    const ended = {
      ...running,
      endedAt: 1,
      outcomes: { new: 1, grown: 2, unchanged: 5 },
      skipped: 1,
      failed: 2,
    }
    expect(importWords({ ...ended, failure: { message: 'The disk is full.' } })).toBe(
      'Imported 1 session. 2 sessions had new lines. 1 unreadable line skipped. 2 files could not be read. The disk is full.',
    )
  })

  it('[O1] says which sessions were skipped, and why', () => {
    const outcomes = { elsewhere: 1, continued: 2, deleted: 3, empty: 4 }
    const facts = { done: 10, bytes: 1, bytesDone: 1, skipped: 0, failed: 0, paused: false, failure: null }
    expect(importWords({ ...facts, endedAt: 1, total: 10, outcomes })).toBe(
      'Imported 0 sessions. Ran in Dragoman already: 1 session. Continued in Dragoman: 2 sessions. ' +
        'Deleted in Dragoman: 3 sessions. Without messages: 4 sessions.',
    )
  })
})
