import { describe, expect, it } from 'vitest'
import { compile } from './compile.ts'
import { customQuestions, takeAnswer, type CustomOutcome } from './custom-strategy.ts'
import { profiles } from './profiles.ts'
import { createStrategies } from './strategies/registry.ts'
import { createTalk, manyLines } from './talk.fixture.ts'

const scene = () => {
  const talk = createTalk()
  const words = talk.user('go')
  const elsewhere = talk.call('mcp__db__query', { q: 0 }, manyLines('z', 60))
  talk.user('more', 'i2')
  const first = talk.call('mcp__db__query', { q: 1 }, manyLines('a', 60))
  const foreign = talk.call('Read', { file_path: '/w/a.ts' }, manyLines('b', 60))
  const trigger = talk.call('mcp__db__query', { q: 2 }, manyLines('c', 60))
  const strategies = createStrategies().register('mcp__db__query', 'mcp:db', { custom: 'mine' })
  const options = talk.options({ strategies })
  const ask = () => customQuestions(talk.history(), trigger, options)
  const answer = (outcome: CustomOutcome) => {
    const [question] = ask()
    if (question === undefined) throw new Error('nothing was asked')
    const events = takeAnswer(talk.history(), question, outcome, options)
    talk.append(...events)
    return events.map(each => (each.type === 'manipulation-rejected' ? each.code : 'done'))
  }
  const says = (answered: unknown) => answer({ isAnswered: true, answer: answered })
  return { talk, words, elsewhere, first, foreign, trigger, ask, answer, says }
}

describe('custom strategies', () => {
  it('[X3] get the pairs of their owner in this interaction, and no others', () => {
    const { ask, first, trigger } = scene()
    const [question] = ask()
    expect(question?.pairs.map(pair => pair.call)).toEqual([first, trigger])
    expect(JSON.stringify(question)).not.toContain('some words in the file')
    expect(structuredClone(question)).toEqual(question)
  })

  it('[X3] a permitted change is made', () => {
    const { says, first } = scene()
    expect(says([{ parts: [first], to: 'superseded', reason: 'newer rows' }])).toEqual(['done'])
  })

  it('[X4] a change without permission is refused and saved as refused, and changes nothing', () => {
    const wants = ({ words, elsewhere, first, foreign }: ReturnType<typeof scene>) =>
      [
        [[{ parts: [foreign], to: 'superseded' }], ['foreign-owner']],
        [[{ parts: [words], to: 'superseded' }], ['outside-interaction']],
        [[{ parts: [elsewhere], to: 'superseded' }], ['outside-interaction']],
        [[{ parts: [first], to: 'deleted' }], ['not-allowed']],
        [[{ parts: [first, foreign], to: 'superseded' }], ['foreign-owner']],
        [[{ parts: [first], to: 'burnt' }], ['strategy-malformed']],
        [[{ parts: [1], to: 'superseded' }], ['strategy-malformed']],
        [[null], ['strategy-malformed']],
        ['everything', ['strategy-malformed']],
        [undefined, ['strategy-malformed']],
        [[{ parts: [first], to: 'superseded', render: 'burn' }], ['strategy-malformed']],
        [Array.from({ length: 1001 }, () => ({ parts: [first], to: 'superseded' })), ['strategy-malformed']],
        [[{ parts: ['__proto__'], to: 'superseded' }], ['unknown-part']],
      ] as const
    for (const [at] of wants(scene()).entries()) {
      const all = scene()
      const { talk } = all
      const bytes = () =>
        JSON.stringify(compile(talk.history(), talk.target(), profiles.safe, null).conversation)
      const before = bytes()
      const [answer, codes] = wants(all)[at] ?? []
      expect(all.says(answer)).toEqual(codes)
      expect(bytes()).toBe(before)
      expect(talk.history().ledger.manipulations.size).toBe(0)
      expect(talk.history().ledger.rejected).toHaveLength(1)
    }
  })

  it('[X4] a list with one change without permission is refused as a whole, and a long reason is cut', () => {
    const { says, answer, talk, first, foreign } = scene()
    const wish = { parts: [first], to: 'superseded' }
    expect(says([wish, { parts: [foreign], to: 'superseded' }])).toEqual(['foreign-owner'])
    expect(talk.history().ledger.manipulations.size).toBe(0)
    answer({ isAnswered: false, code: 'strategy-failed', why: 'x'.repeat(10_000) })
    expect(talk.history().ledger.rejected.at(-1)?.why).toHaveLength(300)
  })

  it('[X4] a refusal is saved in few words, however long the strategy’s reason is', () => {
    const long = 'x'.repeat(8_000_000)
    const named = (parts: readonly string[]) => ({ parts, to: 'superseded' })
    const cases = [
      [named([long])],
      [named([...Array<string>(9_000).fill('nobody'), long])],
      Array.from({ length: 1000 }, (_, index) => named([`${index}${long.slice(0, 3000)}`])),
      Array.from({ length: 11 }, () => named(Array<string>(1000).fill('nobody'))),
      Array.from({ length: 1_000_000 }, () => named([])),
      [{ ...named(['nobody']), reason: long }],
      [{ ...named(['nobody']), to: long }],
      [{ [long]: long }],
      long,
    ]
    for (const answer of cases) {
      const { says, talk } = scene()
      expect(says(answer)).toHaveLength(1)
      expect(JSON.stringify(talk.history().ledger.rejected).length).toBeLessThan(4000)
    }
    const { says, talk } = scene()
    says(Array.from({ length: 1000 }, () => named(['nobody'])))
    expect(talk.history().ledger.rejected.map(({ why }) => why)).toEqual([
      'There is no part nobody on this branch. 999 more of its changes were refused too.',
    ])
  })

  it('[X4] a strategy cannot change the prompt of the same interaction', () => {
    const all = scene()
    const { message } = all.talk.history().messages[3] ?? {}
    expect(all.says([{ parts: [message?.parts[0]?.id], to: 'superseded' }])).toEqual(['persons-words'])
  })

  it('[X4] a strategy that threw or took too long is saved as failed, and nothing is changed', () => {
    for (const code of ['strategy-failed', 'strategy-too-slow'] as const) {
      const { answer, talk } = scene()
      expect(answer({ isAnswered: false, code, why: 'it did not go well' })).toEqual([code])
      expect(talk.history().ledger.rejected[0]).toMatchObject({
        code,
        why: 'it did not go well',
        strategy: 'mine',
      })
    }
  })

  it('[X3] the optimiser of a tool needs the same permission', () => {
    const { talk, first, trigger } = scene()
    const strategies = createStrategies().register('mcp__db__query', 'mcp:db', { optimise: 'tidy' })
    const options = talk.options({ strategies })
    const [question] = customQuestions(talk.history(), trigger, options, 'optimise')
    if (question === undefined) throw new Error('nothing was asked')
    const outcome = { isAnswered: true, answer: [{ parts: [first], to: 'superseded' }] } as const
    expect(takeAnswer(talk.history(), question, outcome, options)).toMatchObject([
      { type: 'manipulation-applied', strategy: 'tidy', actor: { kind: 'tool', owner: 'mcp:db' } },
    ])
  })
})
