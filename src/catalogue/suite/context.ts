import assert from 'node:assert/strict'
import type { Event, EventOf } from '../../protocol/event.ts'
import type { InteractionId, ManipulationId } from '../../protocol/ids.ts'
import type { Actor, Decision } from '../../protocol/manipulation.ts'
import type { ManipulationFilter } from '../list-manipulations.ts'
import { created, named, type Tests } from './stories.ts'

const s = named('s')
const person: Actor = { kind: 'person', name: 'me' }

const proposal = (part: string, causedBy: string | null = null) => ({
  actor: { kind: 'tool', owner: 'owner', tool: 'clean' } as const,
  strategy: 'covered',
  interactions: ['i' as InteractionId],
  parts: [part],
  to: 'superseded' as const,
  rendering: { how: 'clear', moment: 'now' } as const,
  reason: 'newer',
  trigger: null,
  replacedBy: null,
  causedBy: causedBy as ManipulationId | null,
})
const applied = (id: string, part: string, causedBy?: string): Event => ({
  type: 'manipulation-applied',
  manipulation: id as ManipulationId,
  before: [],
  tokens: 1,
  effective: 'applied',
  ...proposal(part, causedBy),
})
const rolledBack = (id: string, ...manipulations: readonly string[]): Event => ({
  type: 'manipulation-rolled-back',
  rollback: id as ManipulationId,
  manipulations: manipulations as readonly ManipulationId[],
  actor: person,
  reason: 'no',
})

const omitted: Decision = { as: 'omitted', rule: 'cold', step: 1 }
const compiled = (step: number, changes: EventOf<'context-compiled'>['changes']): Event => ({
  type: 'context-compiled',
  interaction: null,
  policy: 'plain',
  step,
  at: step * 10,
  messages: step,
  lastMessage: null,
  changes,
  tokens: { before: 100, after: 10 * step },
  keptMessages: 0,
  isPrefixKept: true,
  isCold: false,
})

/** Manipulations and the requests that were sent to models. */
export const context: Tests = {
  '[X6] keeps the audit of manipulations, and knows which of them are in effect': async (
    catalogue,
    stories,
  ) => {
    await stories.tell(
      's',
      created(),
      applied('one', 'm1/0'),
      applied('two', 'm1/1', 'one'),
      { type: 'manipulation-rejected', code: 'pinned', why: 'It is pinned.', ...proposal('m2/0') },
      applied('three', 'm2/0'),
      rolledBack('back', 'one', 'unknown'),
    )
    const list = async (filter: Partial<ManipulationFilter>) =>
      (await catalogue.manipulations(s, { limit: 10, ...filter })).manipulations.map(
        ({ id, holds }) => `${id} ${holds}`,
      )
    assert.deepEqual(await list({}), ['one false', 'two true', 'null false', 'three true', 'back true'])
    assert.deepEqual(await list({ kind: 'rejected' }), ['null false'])
    assert.deepEqual(await list({ actor: 'person' }), ['back true'])
    assert.deepEqual(await list({ tool: 'clean', owner: 'owner', before: 4 }), ['one false', 'two true'])
    assert.deepEqual(await list({ message: 'm1' }), ['one false', 'two true', 'back true'])
    assert.deepEqual(await list({ part: 'm2/0' }), ['null false', 'three true'])
    const ids = (rows: readonly { readonly id: string | null }[]) => rows.map(({ id }) => id)
    assert.deepEqual(ids(await catalogue.manipulationsOf(s, ['m1/0', 'm1/1'])), ['two'])
    assert.deepEqual(ids(await catalogue.audit(s, { ids: ['one'] })), ['one', 'two', 'back'])
    assert.deepEqual(ids(await catalogue.audit(s, { after: 4 })), ['three', 'back'])
    // Rolling back the rollback puts the first one back into effect.
    await stories.tell('s', rolledBack('again', 'back'))
    assert.deepEqual(ids(await catalogue.manipulationsOf(s, ['m1/0', 'm1/1'])), ['one', 'two'])
  },
  '[X6] knows each request, and which decisions were in effect at it': async (catalogue, stories) => {
    const tokens = { before: 50, after: 5 }
    await stories.tell(
      's',
      created(),
      compiled(1, [{ part: 'm1/0', decision: omitted, tokens }]),
      compiled(2, [
        { part: 'm1/0', decision: null },
        { part: 'm2/0', decision: omitted },
      ]),
    )
    const newest = await catalogue.contextRequest(s)
    assert.deepEqual([newest?.seq, newest?.step, newest?.at, newest?.changed], [3, 2, 20, 2])
    assert.deepEqual((await catalogue.contextRequest(s, 1))?.tokens, { before: 100, after: 10 })
    assert.equal(await catalogue.contextRequest(s, 9), undefined)
    assert.deepEqual(await catalogue.contextTotals(s), { requests: 2, before: 200, after: 30 })
    const at = async (asOf: number) =>
      (await catalogue.contextDecisions(s, { asOf, limit: 10 })).decisions.map(row => [row.part, row.tokens])
    assert.deepEqual(await at(2), [['m1/0', tokens]])
    assert.deepEqual(await at(3), [['m2/0', null]])
    assert.deepEqual((await catalogue.contextParts(s)).toSorted(), ['m1/0', 'm2/0'])
  },
}
