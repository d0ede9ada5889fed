import { describe, expect, it } from 'vitest'
import type { ToolPart } from 'dragoman'
import type { SessionState } from 'dragoman/client'
import { durationIn } from './use-call-facts.ts'

const part = (approval?: object) =>
  ({ type: 'dynamic-tool', toolCallId: 'c', state: 'output-available', approval }) as unknown as ToolPart
const answered = (seq: number, approval = 'a') => ({
  seq,
  at: seq * 100,
  event: { type: 'approval-answered', approval, approved: true },
})
const seen = (times: Readonly<Record<string, number>>, ...events: readonly object[]) => {
  const moments = Object.entries(times).map(([type, seq]) => [type, { seq, at: seq * 100 }] as const)
  const view = { calls: new Map([['c', Object.fromEntries(moments)]]) }
  return { view, events } as unknown as SessionState
}
const asked = { 'tool-input-available': 1, 'tool-approval-request': 2, 'tool-output-available': 50 }

describe('the duration of a call', () => {
  it('[W2] starts at its input when no approval was needed', () => {
    expect(durationIn(seen({ 'tool-input-available': 1, 'tool-output-available': 4 }), part())).toBe(300)
    expect(durationIn(seen({ 'tool-output-available': 4 }), part())).toBeNull()
    // A question that lapsed counts on the server, too.
    expect(durationIn(seen(asked), part({ id: 'a' }))).toBe(4900)
  })

  it('[W2] excludes the time it waited for approval, as on the server', () => {
    const approved = part({ id: 'a', approved: true })
    expect(durationIn(seen(asked, answered(20, 'other'), answered(48)), approved)).toBe(200)
    const late = { ...asked, 'tool-input-available': 49 }
    expect(durationIn(seen(late, answered(48)), approved)).toBe(100)
    const joined = { 'tool-output-available': 50 }
    expect(durationIn(seen(joined, answered(48)), approved)).toBe(200)
  })

  it('[W2] comes from the server when the answer was not seen here', () => {
    const denied = part({ id: 'a', approved: false })
    expect(durationIn(seen(asked), denied)).toBeNull()
    expect(durationIn(seen(asked, answered(51)), denied)).toBeNull()
  })
})
