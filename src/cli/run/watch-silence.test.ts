import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Entry } from '../../protocol/entry.ts'
import { watchSilence } from './watch-silence.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const entry = (event: object): Entry => ({ seq: 1, at: 0, event }) as never
const spoke = (chunk: object, interaction: string | null = 'i'): Entry =>
  entry({ type: 'agent-spoke', interaction, raw: '', chunks: [{ thread: null, chunk }] })

it('[A18] reports silence after 20 seconds, after a minute, and then every minute', () => {
  const reports: string[] = []
  using _watch = watchSilence(sentence => reports.push(sentence), true)
  vi.advanceTimersByTime(19_999)
  expect(reports).toEqual([])
  vi.advanceTimersByTime(100_002)
  expect(reports).toEqual(['No output for 20 s.', 'No output for 60 s.', 'No output for 120 s.'])
})

it('[A18] output ends the silence, and a pending approval is not silence', () => {
  const reports: string[] = []
  using watch = watchSilence(sentence => reports.push(sentence), true)
  vi.advanceTimersByTime(15_000)
  watch.update([spoke({ type: 'text-delta', id: 't', delta: 'x' })])
  vi.advanceTimersByTime(15_000)
  watch.update([spoke({ type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' })])
  vi.advanceTimersByTime(600_000)
  expect(reports).toEqual([])
  watch.update([spoke({ type: 'text-delta', id: 't', delta: 'y' })])
  vi.advanceTimersByTime(20_000)
  expect(reports).toEqual(['No output for 20 s.'])
})

it('[A18] reports silence only while something runs', () => {
  const reports: string[] = []
  using watch = watchSilence(sentence => reports.push(sentence), false)
  vi.advanceTimersByTime(600_000)
  watch.update([spoke({ type: 'data-notice' }, null)])
  vi.advanceTimersByTime(600_000)
  expect(reports).toEqual([])
  watch.update([entry({ type: 'interaction-started', interaction: 'i' })])
  vi.advanceTimersByTime(20_000)
  expect(reports.splice(0)).toEqual(['No output for 20 s.'])
  watch.update([entry({ type: 'interaction-ended', interaction: 'i' })])
  watch.update([entry({ type: 'agent-exited' })])
  vi.advanceTimersByTime(600_000)
  expect(reports).toEqual([])
  watch.update([spoke({ type: 'text-delta', id: 't', delta: 'x' })])
  vi.advanceTimersByTime(20_000)
  expect(reports).toEqual(['No output for 20 s.'])
})

it('[A18] a line in the log of the agent does not end the silence', () => {
  const reports: string[] = []
  using watch = watchSilence(sentence => reports.push(sentence), true)
  for (let second = 0; second < 60; second += 10) {
    watch.update([entry({ type: 'agent-logged', text: 'Attempt 1 failed. Retrying with backoff...' })])
    vi.advanceTimersByTime(10_000)
  }
  expect(reports).toEqual(['No output for 20 s.', 'No output for 60 s.'])
})
