import { describe, expect, it } from 'vitest'
import type { Event } from '../protocol/event.ts'
import { foldEntries } from './fold.ts'
import {
  ask,
  call,
  created,
  ended,
  finish,
  journal,
  output,
  spoke,
  start,
  started,
  text,
} from './journal.fixture.ts'
import { createMessages } from './messages.ts'
import { createSessionView } from './session-view.ts'
import { expectSameView, snapshotOf } from './snapshot.fixture.ts'

/** The ids of the main conversation as a view shows them that began at a snapshot of the last message. */
function shownAfter(before: readonly Event[], after: readonly Event[]): readonly string[] {
  const entries = journal(...before, ...after)
  const view = foldEntries(
    createSessionView(snapshotOf(entries.slice(0, before.length), 1)),
    entries.slice(before.length),
  )
  return (view.messages.get(null) ?? []).map(({ message }) => message.id)
}

describe('a view that begins at a snapshot', () => {
  const old = [created(), started('i0'), spoke('i0', null, start('m0'), call('c0'), finish), ended('i0')]
  const running = [...old, started('i1'), spoke('i1', null, start('m1'))]

  it('[P3] does not begin a new message for a late result', () => {
    const late = [start('m0'), output('c0'), finish]
    const idle = [...old, started('i1'), spoke('i1', null, start('m1'), finish)]
    expect(shownAfter(idle, [spoke('i1', null, ...late, start('m2'))])).toEqual(['m1', 'm2'])
    expect(shownAfter(idle, [spoke('i0', null, ...late)])).toEqual(['m1'])
    expect(shownAfter(running, [spoke('i1', null, ...text('t', 'x'))])).toEqual(['m1'])
  })

  it('[J5] does not show repeated messages from before the snapshot', () => {
    const before = [...old, started('i1'), spoke('i1', null, start('m1'), finish), ended('i1')]
    const told = [start('m0'), call('c0'), output('c0'), finish]
    expect(shownAfter(before, [started('i2', null), spoke('i0', null, ...told)])).toEqual(['m1'])
  })

  it('[P4] shows a subagent whose messages begin later, and its parent', () => {
    const background = [
      created(),
      started('i'),
      spoke('i', null, start('m'), call('c', 'Task'), finish),
      ended('i'),
    ]
    const done = [created(), started('i'), spoke('i', null, start('m'), call('c', 'Task'), output('c'))]
    for (const before of [background, done]) {
      const entries = journal(...before, spoke('i', 'c', start('s'), ...text('t', 'Here')))
      const view = foldEntries(createSessionView(snapshotOf(entries.slice(0, -1))), entries.slice(-1))
      expect(view.messages.get('c')).toMatchObject([{ message: { id: 's' }, parent: 'm', synthetic: false }])
      expectSameView(snapshotOf(entries.slice(0, -1)), entries)
    }
  })

  it('[P4] knows the parent of a subagent, even if its message is older than the snapshot', () => {
    const entries = journal(
      created(),
      started('i'),
      spoke('i', null, start('m'), call('c', 'Task'), finish, start('n'), finish),
      spoke('i', 'c', start('s')),
    )
    const view = foldEntries(createSessionView(snapshotOf(entries.slice(0, 3), 1)), entries.slice(3))
    expect(view.messages.get(null)).toHaveLength(1)
    expect(view.messages.get('c')).toMatchObject([{ parent: 'm' }])
  })

  it('[P6] begins a new call for the same ID in a new step, and continues it within its step', () => {
    const before = [created(), started('i'), spoke('i', null, start('m'), { type: 'start-step' }, call('c'))]
    for (const step of [[], [{ type: 'start-step' } as const]]) {
      const entries = journal(
        ...before,
        spoke('i', null, ...step),
        spoke('i', null, call('c', 'Read', 'other')),
      )
      for (const cut of [3, 4]) expectSameView(snapshotOf(entries.slice(0, cut)), entries)
    }
  })

  it('[P5] hides retracted parts, even if they are repeated', () => {
    const taken = { type: 'data-retracted', data: { ids: ['t1', 'c'], indexes: [0, 2] } } as const
    const words = [start('m'), ...text('t1', 'Wro'), ...text('t2', 'Right'), call('c'), taken]
    const entries = journal(
      created(),
      started('i'),
      spoke('i', null, ...words),
      spoke('i', null, output('c'), finish),
      spoke('i', null, start('m'), ...text('t1', 'Wro'), ...text('t2', 'Right'), call('c'), finish),
      spoke('i', null, start('m'), ...text('t3', 'More'), finish),
    )
    for (const cut of [3, 4, 5]) expectSameView(snapshotOf(entries.slice(0, cut)), entries)
    const [, shown] = foldEntries(createMessages(), entries).get(null) ?? []
    expect(shown?.partIds).toEqual(['t2', null, 't3'])
  })

  it('[T6] applies an answer to an approval from before the snapshot', () => {
    const before = [created(), started('i'), spoke('i', null, start('m'), call('c', 'Bash', 'ls'))]
    const entries = journal(...before, spoke('i', null, ask('c')))
    const view = foldEntries(createSessionView(snapshotOf(entries.slice(0, 3))), entries.slice(3))
    expect(view.approvals).toMatchObject([{ id: 'ask-c', tool: 'Bash', input: { input: 'ls' } }])
    expect(view.status.pending).toHaveLength(1)
  })

  it('[X2] applies changes of validity from before and after the snapshot', () => {
    const mark = (parts: readonly string[], to: 'archived' | 'active'): Event => ({
      type: 'validity-changed',
      target: { interaction: 'i' as never, parts },
      to,
      by: 'me',
      reason: 'why',
      replacedBy: null,
    })
    const entries = journal(
      created(),
      started('i'),
      spoke('i', null, start('m'), ...text('t', 'Hi'), call('c'), output('c'), finish),
      mark(['t'], 'archived'),
      mark(['c'], 'archived'),
      mark(['t'], 'active'),
    )
    for (const cut of [3, 4, 5])
      for (const end of [5, 6]) expectSameView(snapshotOf(entries.slice(0, cut)), entries.slice(0, end))
  })
})
