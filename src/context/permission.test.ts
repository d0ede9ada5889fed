import { describe, expect, it } from 'vitest'
import type { InteractionId } from '../protocol/ids.ts'
import type { Actor, Mark, Proposal, Refusal } from '../protocol/manipulation.ts'
import { compile } from './compile.ts'
import { makeChange, createChangeBatch, type ManipulationEvent } from './change-batch.ts'
import { personsProposal } from './person.ts'
import { profiles } from './profiles.ts'
import { createTalk, manyLines, textOf, type Talk } from './talk.fixture.ts'

const fs: Actor = { kind: 'tool', owner: 'fs', tool: 'Read' }
const policy: Actor = { kind: 'policy', name: 'p' }
const person: Actor = { kind: 'person', name: 'me' }
const model: Actor = { kind: 'model', name: 'm' }

const scene = () => {
  const talk = createTalk()
  const words = talk.user('go')
  const read = talk.call('Read', { file_path: '/w/a.ts' }, manyLines('a', 60))
  const run = talk.call('Bash', { command: 'x' }, manyLines('r', 60))
  const later = talk.user('and then?', 'i2')
  const other = talk.call('Read', { file_path: '/w/b.ts' }, manyLines('b', 60))
  const open = talk.call('Read', { file_path: '/w/c.ts' }, null)
  for (let at = 0; at < 5; at += 1) talk.call('Bash', { command: `true ${at}` }, 'ok')
  return { talk, words, read, run, later, other, open }
}

const propose = (
  talk: Talk,
  actor: Actor,
  parts: readonly string[],
  to: Mark,
  more: Partial<Proposal> = {},
) => {
  const batch = createChangeBatch(talk.history(), talk.options())
  const base = personsProposal(batch.index, { person: 'me', parts, to, reason: 'because' })
  makeChange(batch, { ...base, actor, interactions: ['i1' as InteractionId, 'i2' as InteractionId], ...more })
  talk.append(...batch.events)
  return batch.events
}

const codesOf = (events: readonly ManipulationEvent[]): readonly (Refusal | 'done')[] =>
  events.map(each => (each.type === 'manipulation-rejected' ? each.code : 'done'))

describe('who may change what', () => {
  const cases: readonly (readonly [
    string,
    Actor,
    keyof Omit<ReturnType<typeof scene>, 'talk'>,
    Mark,
    Refusal | 'done',
  ])[] = [
    ['a tool supersedes what is its own', fs, 'read', 'superseded', 'done'],
    ['a tool reaches for another’s', fs, 'run', 'superseded', 'foreign-owner'],
    ['a tool reaches for a person’s words', fs, 'words', 'invalidated', 'persons-words'],
    ['a policy reaches for a person’s words', policy, 'words', 'archived', 'persons-words'],
    ['a tool archives', fs, 'read', 'archived', 'not-allowed'],
    ['a tool deletes', fs, 'read', 'deleted', 'not-allowed'],
    ['a policy deletes', policy, 'read', 'deleted', 'not-allowed'],
    ['a policy archives', policy, 'read', 'archived', 'done'],
    ['a tool pins its own', fs, 'read', 'pinned', 'done'],
    ['a policy pins', policy, 'read', 'pinned', 'not-allowed'],
    ['a tool makes active', fs, 'read', 'active', 'not-allowed'],
    ['a person restores what is active', person, 'read', 'active', 'not-allowed'],
    ['a person unpins what is not pinned', person, 'read', 'unpinned', 'not-allowed'],
    ['a person undeletes what is not deleted', person, 'read', 'undeleted', 'not-allowed'],
    ['a person deletes own words', person, 'words', 'deleted', 'done'],
    ['a tool changes a pair without a result', fs, 'open', 'superseded', 'no-result'],
    ['a model changes anything', model, 'read', 'superseded', 'model-may-only-propose'],
  ]
  for (const [name, actor, part, to, expected] of cases)
    it(`[X4] ${name}: ${expected}`, () => {
      const all = scene()
      const bytes = () =>
        JSON.stringify(compile(all.talk.history(), all.talk.target(), profiles.off, null).conversation)
      const before = bytes()
      const events = propose(all.talk, actor, [all[part]], to, {
        rendering: { how: 'clear', moment: 'boundary' },
      })
      expect(codesOf(events)).toEqual([expected])
      if (expected === 'done') return
      expect(bytes()).toBe(before)
      expect(all.talk.history().ledger.rejected).toHaveLength(1)
    })

  it('[X4] tools and policies do not change a pinned part, until a person unpins it', () => {
    const { talk, read } = scene()
    propose(talk, person, [read], 'pinned')
    expect(codesOf(propose(talk, fs, [read], 'superseded'))).toEqual(['pinned'])
    expect(codesOf(propose(talk, policy, [read], 'archived'))).toEqual(['pinned'])
    expect(codesOf(propose(talk, policy, [read], 'archived', { to: null }))).toEqual(['pinned'])
    propose(talk, person, [read], 'unpinned')
    expect(
      codesOf(propose(talk, fs, [read], 'superseded', { rendering: { how: 'clear', moment: 'boundary' } })),
    ).toEqual(['done'])
  })

  it('[X4] a person must unpin a part before archiving it, but may delete it', () => {
    const { talk, words } = scene()
    propose(talk, person, [words], 'pinned')
    for (const to of ['archived', 'invalidated', 'superseded'] as const)
      expect(codesOf(propose(talk, person, [words], to))).toEqual(['pinned'])
    expect(codesOf(propose(talk, person, [words], 'deleted'))).toEqual(['done'])
  })

  it('[X4] a manipulation of a part outside the interactions that it names is refused as a whole', () => {
    const { talk, read, other } = scene()
    const events = propose(talk, fs, [read, other], 'superseded', { interactions: ['i1' as InteractionId] })
    expect(codesOf(events)).toEqual(['outside-interaction'])
    expect(talk.history().ledger.manipulations.size).toBe(0)
  })

  it('[X4] parts of the last requests are not cleared at once, and unknown parts are refused', () => {
    const { talk } = scene()
    const fresh = talk.call('Read', { file_path: '/w/z.ts' }, manyLines('z', 60))
    expect(codesOf(propose(talk, fs, [fresh], 'superseded'))).toEqual(['recent'])
    expect(codesOf(propose(talk, person, ['nothing'], 'deleted'))).toEqual(['unknown-part'])
    expect(codesOf(propose(talk, person, [], 'deleted'))).toEqual(['no-targets'])
  })

  it('[X4] standing instructions are never changed', () => {
    const { talk } = scene()
    const history = { ...talk.history(), system: [{ kind: 'text' as const, id: 'sys', text: 'be kind' }] }
    const batch = createChangeBatch(history, talk.options())
    makeChange(
      batch,
      personsProposal(batch.index, { person: 'me', parts: ['sys'], to: 'deleted', reason: 'x' }),
    )
    expect(codesOf(batch.events)).toEqual(['instructions'])
  })

  it('[X2] a call and its result change together, whichever of them is named', () => {
    const { talk, read } = scene()
    propose(talk, person, [`${read}.result`], 'deleted')
    const { conversation } = compile(talk.history(), talk.target(), profiles.off, null)
    expect(textOf(conversation.messages, read)).toBeNull()
    expect(textOf(conversation.messages, `${read}.result`)).toBeNull()
    propose(talk, person, [read], 'undeleted')
    const again = compile(talk.history(), talk.target(), profiles.off, null)
    expect(textOf(again.conversation.messages, `${read}.result`)).toBe(manyLines('a', 60))
  })

  it('[X2] a result that comes after its call was deleted is left out with it', () => {
    const { talk, read } = scene()
    const batch = createChangeBatch(talk.history(), talk.options())
    makeChange(
      batch,
      personsProposal(batch.index, { person: 'me', parts: [read], to: 'deleted', reason: 'x' }),
    )
    // While a call runs, there is only the one half to name.
    talk.append(...batch.events.map(event => ({ ...event, parts: [read] })))
    const { conversation } = compile(talk.history(), talk.target(), profiles.off, null)
    expect(textOf(conversation.messages, read)).toBeNull()
    expect(textOf(conversation.messages, `${read}.result`)).toBeNull()
  })

  it('[X2] a part that a person restored or pinned is not cleared again', () => {
    const { talk, run } = scene()
    for (let at = 0; at < 30; at += 1) talk.call('Bash', { command: `false ${at}` }, manyLines(`n${at}x`, 20))
    const swept = compile(talk.history(), talk.target(), profiles.balanced, null)
    expect(swept.manifest.decisions.get(`${run}.result`)?.rule).toBe('cold')
    propose(talk, person, [run], 'pinned')
    const pinned = compile(talk.history(), talk.target(), profiles.balanced, swept.manifest)
    expect(textOf(pinned.conversation.messages, `${run}.result`)).toBe(manyLines('r', 60))
    const cold = talk.target({ at: talk.target().at + 400_000 })
    expect(
      compile(talk.history(), cold, profiles.balanced, pinned.manifest).manifest.decisions.has(
        `${run}.result`,
      ),
    ).toBe(false)
  })
})
