import { describe, expect, it } from 'vitest'
import type { Event, Validity } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import { foldEntries } from './fold.ts'
import { createInteractions } from './interactions.ts'
import { created, ended, finish, journal, output, call, spoke, start, started } from './journal.fixture.ts'

const changed = (to: Validity, parts?: readonly string[], replacedBy: string | null = null): Event => ({
  type: 'validity-changed',
  target: { interaction: 'i1' as InteractionId, ...(parts !== undefined && { parts }) },
  to,
  by: 'me',
  reason: `because ${to}`,
  replacedBy: replacedBy as InteractionId | null,
})

const interactionsOf = (...events: readonly Event[]) =>
  foldEntries(createInteractions(), journal(created(), started('i1'), ...events))

describe('createInteractions', () => {
  it('[X1] lists each from its prompt to its end, with its messages', () => {
    const [first, second] = interactionsOf(
      spoke('i1', null, start('m1'), call('c'), finish),
      spoke('i1', 'c', start('s1'), finish),
      ended('i1'),
      started('i2', null),
      spoke('i2', null, start('m1'), output('c'), finish),
      spoke('i2', null, start('m2'), finish),
      ended('i2', 'interrupted', 'Stopped.'),
    )
    expect(first).toMatchObject({
      id: 'i1',
      trigger: 'user',
      agent: 'scripted',
      prompt: 'prompt-i1',
      start: { seq: 2, at: 2000 },
      stop: { seq: 5, at: 5000 },
      state: 'closed',
      outcome: 'finished',
      reason: null,
      messages: ['prompt-i1', 'm1', 's1'],
    })
    expect(second).toMatchObject({ state: 'aborted', reason: 'Stopped.', trigger: 'agent', messages: ['m2'] })
  })

  it('[X1] is open until it ends', () => {
    expect(interactionsOf()[0]).toMatchObject({ state: 'open', stop: null, outcome: null })
  })

  it('[X2] applies the last change of validity and keeps them all', () => {
    const [interaction] = interactionsOf(changed('invalidated'), changed('superseded', undefined, 'i2'))
    expect(interaction?.validity).toMatchObject({
      state: 'superseded',
      change: { seq: 4, by: 'me', reason: 'because superseded', replacedBy: 'i2', parts: null },
    })
    expect(interaction?.validity.history.map(({ seq, to }) => [seq, to])).toEqual([
      [3, 'invalidated'],
      [4, 'superseded'],
    ])
  })

  it('[X2] knows the validity of parts; the whole is active while one part is', () => {
    const stateOf = (...events: readonly Event[]) => interactionsOf(...events)[0]?.validity
    expect(stateOf(changed('superseded', ['a']))?.state).toBe('active')
    expect(stateOf(changed('superseded', ['a']))?.parts.get('a')).toMatchObject({ to: 'superseded' })
    expect(stateOf(changed('archived'), changed('active', ['a']))?.state).toBe('active')
    expect(stateOf(changed('archived'), changed('superseded', ['a']))?.state).toBe('archived')
    expect(stateOf(changed('active', ['a']), changed('archived'))?.state).toBe('archived')
  })

  it('keeps the objects of unchanged interactions', () => {
    const fold = createInteractions()
    const entries = journal(created(), started('i1'), ended('i1'), started('i2'), ended('i2'))
    const before = foldEntries(fold, entries.slice(0, 4))
    const after = foldEntries(fold, entries.slice(4))
    expect(after[0]).toBe(before[0])
    expect(after[1]).not.toBe(before[1])
    expect(fold.view()).toBe(after)
  })
})
