import { describe, expect, it } from 'vitest'
import { created, ended, journal, started } from '../../projections/journal.fixture.ts'
import type { Event } from '../../protocol/event.ts'
import type { InteractionId, ManipulationId } from '../../protocol/ids.ts'
import type { Actor } from '../../protocol/manipulation.ts'
import { createCopier } from './copier.ts'

const policy: Actor = { kind: 'policy', name: 'safe' }
const person: Actor = { kind: 'person', name: 'me' }

const applied = (id: string, actor: Actor, ...interactions: readonly string[]): Event => ({
  type: 'manipulation-applied',
  manipulation: id as ManipulationId,
  actor,
  strategy: 'x',
  interactions: interactions as readonly InteractionId[],
  parts: ['p'],
  to: 'archived',
  rendering: { how: 'clear', moment: 'now' },
  reason: 'x',
  trigger: null,
  replacedBy: null,
  causedBy: null,
  before: [],
  tokens: 0,
  effective: 'applied',
})

const rolledBack = (id: string): Event => ({
  type: 'manipulation-rolled-back',
  rollback: `r-${id}` as ManipulationId,
  manipulations: [id as ManipulationId],
  actor: person,
  reason: 'no',
})

describe('context changes in a branch', () => {
  const copied = (kept: readonly string[], ...events: readonly Event[]) => {
    const copier = createCopier(kept as readonly InteractionId[])
    for (const entry of journal(...events)) copier.take(entry)
    return copier.copies().events
  }

  it('[X5] a branch has the manipulations up to the cut, only of its interactions', () => {
    const events = copied(
      ['i1'],
      created(),
      started('i1'),
      applied('a', policy, 'i1'),
      ended('i1'),
      started('i2'),
      applied('b', policy, 'i1', 'i2'),
      ended('i2'),
    )
    expect(events.map(({ type }) => type)).toEqual([
      'interaction-started',
      'manipulation-applied',
      'interaction-ended',
    ])
  })

  it('[X5] later changes by a person and later rollbacks apply in a branch, too', () => {
    const events = copied(
      ['i1'],
      created(),
      started('i1'),
      applied('a', policy, 'i1'),
      ended('i1'),
      started('i2'),
      applied('b', person, 'i1', 'i2'),
      applied('c', person, 'i2'),
      rolledBack('a'),
    )
    expect(events.slice(3)).toEqual([applied('b', person, 'i1'), rolledBack('a')])
  })
})
