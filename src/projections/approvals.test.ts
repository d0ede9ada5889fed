import { describe, expect, it } from 'vitest'
import type { Event } from '../protocol/event.ts'
import type { ApprovalId, InteractionId, SessionId } from '../protocol/ids.ts'
import { createApprovals } from './approvals.ts'
import { foldEntries } from './fold.ts'
import {
  answered,
  ask,
  call,
  created,
  ended,
  journal,
  output,
  spoke,
  start,
  started,
} from './journal.fixture.ts'
import { project } from './projection.ts'
import { status } from './status.ts'

const asked = [created(), started('i'), spoke('i', 'sub', start('m'), call('c', 'Bash', 'rm'), ask('c'))]
const approvalsOf = (...events: readonly Event[]) =>
  foldEntries(createApprovals(), journal(...asked, ...events))
const statusOf = (...events: readonly Event[]) => project(status, journal(...asked, ...events)).status
const lapsed: Event = { type: 'approval-lapsed', approval: 'ask-c' as ApprovalId, reason: 'gone' }

describe('createApprovals', () => {
  it('[S10] [T4] a question after a snapshot still has the earlier input of its call', () => {
    const part = {
      type: 'dynamic-tool',
      toolCallId: 'c',
      toolName: 'Bash',
      state: 'input-available',
      input: { command: 'rm' },
      callProviderMetadata: { dragoman: { earlierInput: { command: 'ls' } } },
    } as const
    const message = { id: 'm', role: 'assistant', parts: [part] } as const
    const seed = {
      approvals: [],
      messages: [{ thread: null, message }],
      continuation: { open: { messages: [] } },
    }
    const fold = createApprovals(seed as never)
    for (const entry of journal(spoke('i', null, ask('c')))) fold.apply(entry)
    expect(fold.view()).toMatchObject([{ input: { command: 'rm' }, earlierInput: { command: 'ls' } }])
  })

  it('[T6] lists each approval with its call and its place', () => {
    expect(approvalsOf()).toEqual([
      {
        id: 'ask-c',
        status: 'pending',
        toolCallId: 'c',
        tool: 'Bash',
        input: { input: 'rm' },
        rule: { tool: 'Bash', input: { input: 'rm' } },
        ruleReason: null,
        thread: 'sub',
        interaction: 'i',
        requested: { seq: 3, at: 3000 },
        settled: null,
        by: null,
        reason: null,
        always: false,
      },
    ])
  })

  it('[T6] lists approvals that were copied from another session', () => {
    const from = 'other' as SessionId
    const branched: Event = { type: 'session-branched', from, message: 'm', seq: 9, chunks: [] }
    expect(approvalsOf(answered('ask-c'), branched)).toMatchObject([{ status: 'granted', copied: true }])
    const interactions = ['i' as InteractionId]
    const merged: Event = { type: 'interactions-merged', from, interactions, seq: 9, chunks: [] }
    expect(approvalsOf(answered('ask-c'), merged)).toMatchObject([{ status: 'granted', copied: true }])
    const later = [started('j'), spoke('j', null, start('n'), call('d'), ask('d'))]
    const [first, second] = approvalsOf(answered('ask-c'), branched, ...later)
    expect([first?.copied, second?.copied]).toEqual([true, undefined])
  })

  it('[T6] has the answer, and the first one counts', () => {
    const yes = answered('ask-c', { input: { input: 'ls' }, always: true, reason: 'ok' })
    expect(approvalsOf(yes, answered('ask-c', { approved: false }))).toMatchObject([
      { status: 'granted', settled: { seq: 4 }, changedInput: { input: 'ls' }, always: true, reason: 'ok' },
    ])
    expect(approvalsOf(answered('ask-c', { approved: false }), lapsed)).toMatchObject([{ status: 'denied' }])
  })

  it('[T6] lapses when its agent exits, its interaction ends, or the agent continues', () => {
    expect(approvalsOf(lapsed)).toMatchObject([{ status: 'lapsed', reason: 'gone' }])
    expect(approvalsOf(ended('i', 'failed', 'crashed'))).toMatchObject([
      { status: 'lapsed', reason: 'crashed' },
    ])
    expect(approvalsOf(spoke('i', 'sub', output('c')))).toMatchObject([{ status: 'lapsed' }])
  })

  it('[T6] keeps its answer when the agent repeats it', () => {
    expect(approvalsOf(answered('ask-c'), spoke('i', 'sub', ask('c')))).toMatchObject([{ status: 'granted' }])
  })
})

describe('status', () => {
  it('[J6] is waiting while an approval is pending and the interaction runs', () => {
    expect(statusOf()).toBe('waiting')
    expect(statusOf(answered('ask-c'))).toBe('running')
    expect(statusOf(lapsed)).toBe('running')
    expect(statusOf(spoke('i', 'sub', output('c')))).toBe('running')
    expect(statusOf(spoke('i', null, output('c')))).toBe('waiting')
    expect(statusOf(ended('i'))).toBe('idle')
  })

  it('[J6] has the outcome of the last interaction', () => {
    expect(project(status, journal(created())).status).toBe('idle')
    expect(statusOf(ended('i', 'failed'))).toBe('failed')
    expect(statusOf(ended('i', 'interrupted'))).toBe('idle')
    expect(statusOf(ended('i', 'failed'), started('j'))).toBe('running')
    const endOf = (...events: readonly Event[]) => project(status, journal(...asked, ...events)).ended
    expect(endOf()).toBeNull()
    expect(endOf(ended('i'))).toBe('finished')
    expect(endOf(ended('i', 'interrupted'))).toBe('interrupted')
    expect(endOf(ended('i', 'interrupted'), started('j'))).toBeNull()
  })
})
