import { describe, expect, it } from 'vitest'
import { familyOf } from './family.ts'
import {
  actorWords,
  canTakeBack,
  deedsFor,
  deedWords,
  lessWords,
  mergeWords,
  rollbackWords,
  ruleWords,
  savedWords,
  type Interaction,
  type Manipulation,
} from './words.ts'

const manipulation = (change: Partial<Manipulation>): Manipulation =>
  ({
    id: 'x',
    kind: 'applied',
    holds: true,
    to: 'superseded',
    parts: ['a', 'b'],
    interactions: ['i'],
    whole: false,
    manipulations: [],
    ...change,
  }) as Manipulation
const interaction = (change: Partial<Interaction>): Interaction =>
  ({ validity: 'active', deleted: false, pinned: false, ...change }) as Interaction
const names = (change: Partial<Interaction>) => deedsFor(interaction(change)).map(each => each.do)

describe('the text about context changes', () => {
  it('[W5] states how much less is sent', () => {
    expect(lessWords({ before: 3600, after: 1900 })).toBe('−47 %')
    expect(lessWords({ before: 100, after: 100 })).toBe('nothing trimmed')
    expect(lessWords({ before: 100, after: 120 })).toBe('+20 %')
    expect(lessWords({ before: 1000, after: 999 })).toBe('−<1 %')
    expect(lessWords({ before: 1000, after: 1001 })).toBe('+<1 %')
  })
  it('[W5] calls only a reduction a saving', () => {
    expect(savedWords({ requests: 3, before: 5600, after: 3800 })).toBe(
      'Saved so far: 1.8k of 5.6k tokens in 3 requests.',
    )
    expect(savedWords({ requests: 1, before: 100, after: 100 })).toBe('No tokens saved so far in 1 request.')
    expect(savedWords({ requests: 2, before: 100, after: 101 })).toBe(
      'No tokens saved so far: 1 token more was sent in 2 requests.',
    )
    expect(savedWords({ requests: 2, before: 100, after: 106 })).toBe(
      'No tokens saved so far: 6 tokens more were sent in 2 requests.',
    )
  })
  it('[W5] states what was applied, refused and undone', () => {
    expect(deedWords(manipulation({}))).toBe('2 parts marked as replaced')
    expect(deedWords(manipulation({ to: null, parts: ['a'] }))).toBe('1 part changed')
    expect(deedWords(manipulation({ whole: true, to: 'archived' }))).toBe('1 turn marked as archived')
    expect(deedWords(manipulation({ kind: 'rejected' }))).toBe('Refused: 2 parts marked as replaced')
    expect(deedWords(manipulation({ kind: 'rolled-back', manipulations: ['a'] }))).toBe('Undid 1 change')
  })
  it('[W5] states who made the change', () => {
    expect(actorWords({ kind: 'tool', name: 'Read', owner: 'fs' })).toBe('the tool Read (fs)')
    expect(actorWords({ kind: 'policy', name: 'safe', owner: null })).toBe('safe (policy)')
  })
  it('[W5] offers only actions that apply to the interaction', () => {
    expect(names({})).toEqual(['pin', 'archive', 'invalidate', 'delete'])
    expect(names({ pinned: true, validity: 'archived' })).toEqual(['unpin', 'restore', 'delete'])
    expect(names({ deleted: true })).toEqual(['undelete'])
  })
  it('[W5] offers to undo only changes that are in effect', () => {
    expect(canTakeBack(manipulation({}))).toBe(true)
    expect(canTakeBack(manipulation({ holds: false }))).toBe(false)
    expect(canTakeBack(manipulation({ kind: 'rejected', id: null }))).toBe(false)
  })
  it('[W5] reports the result of an undo and of a merge', () => {
    expect(rollbackWords(['a', 'b'])).toBe('Undid 2 changes.')
    expect(rollbackWords([])).toBe('Already undone.')
    expect(mergeWords(['a'])).toBe('Merged 1 turn.')
    expect(mergeWords([])).toBe('Nothing to merge: everything is already here.')
  })
})

type Sessions = Parameters<typeof familyOf>[0]

describe('branches', () => {
  const session = (id: string, from: string | null, createdAt: number) =>
    ({
      id,
      createdAt,
      branch: from === null ? null : { session: from, message: 'm', seq: 1 },
    }) as Sessions[number]
  const tree = (sessions: Sessions, id: string) =>
    familyOf(sessions, id).map(each => `${'  '.repeat(each.depth)}${each.session.id}`)

  it('[W5] lists the whole family of a session, oldest first', () => {
    const sessions = [session('c', 'b', 3), session('d', 'a', 4), session('b', 'a', 2), session('a', null, 1)]
    const expected = ['a', '  b', '    c', '  d']
    expect(tree([...sessions, session('other', null, 0)], 'c')).toEqual(expected)
    expect(tree(sessions, 'a')).toEqual(expected)
  })
  it('[W5] works with incomplete data, and ignores cycles', () => {
    expect(tree([session('b', 'gone', 1)], 'b')).toEqual(['b'])
    expect(tree([session('a', 'b', 1), session('b', 'a', 2)], 'a')).toHaveLength(2)
    expect(tree([], 'a')).toEqual([])
  })
})

it('[X4] a rule is named after its purpose', () => {
  expect(ruleWords('cold')).toBe('Old result, cache expired')
  expect(ruleWords('constructor')).toBe('Rule “constructor”')
})
