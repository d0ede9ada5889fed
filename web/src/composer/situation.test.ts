import { describe, expect, it } from 'vitest'
import { agentAdvice, closedBecause, howItStopped } from './situation.ts'

describe('the state of the composer', () => {
  it('[W3] is closed in a deleted, archived or unknown session, with a message', () => {
    expect(closedBecause('live', { archived: false, deleted: false })).toBeNull()
    expect(closedBecause('live', { archived: true, deleted: false })?.remedy).toBe('restore')
    expect(closedBecause('live', { archived: true, deleted: true })?.remedy).toBe('undelete')
    expect(closedBecause('gone', null)?.sentence).toMatch(/doesn’t exist/)
    expect(closedBecause('loading', null)).toBeNull()
  })

  it('[W3] has advice when the agent is not ready', () => {
    expect(agentAdvice(null)).toBeNull()
    expect(agentAdvice({ title: 'Codex', status: 'ready', advice: null })).toBeNull()
    expect(agentAdvice({ title: 'Codex', status: 'needs-login', advice: 'Run codex login.' })).toBe(
      'Codex is not logged in. Run codex login.',
    )
    expect(
      agentAdvice({
        title: 'Model',
        status: 'needs-login',
        lacks: 'key',
        advice: 'Put the key into OPENAI_API_KEY.',
      }),
    ).toBe('Model has no API key. Put the key into OPENAI_API_KEY.')
  })

  it('[W3] reports the result of stopping', () => {
    expect(howItStopped({ outcome: 'interrupted', reason: null })).toBe('Stopped.')
    expect(howItStopped({ outcome: 'finished', reason: null })).toMatch(/finished/)
    expect(howItStopped({ outcome: 'failed', reason: 'It broke.' })).toMatch(/It broke/)
  })
})
