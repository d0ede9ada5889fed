import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import type { Rendering } from '../../protocol/manipulation.ts'
import { compile } from '../compile.ts'
import { markOf } from '../ledger.ts'
import { makeChange, createChangeBatch } from '../change-batch.ts'
import { personsProposal } from '../person.ts'
import { profiles } from '../profiles.ts'
import { strategiesAfter } from '../run-strategies.ts'
import { createStrategies, type Strategies } from './registry.ts'
import type { SemanticRule } from './strategy.ts'
import { createTalk, manyLines, textOf, type Talk } from '../talk.fixture.ts'

/** A call, with the changes of the strategies in the ledger. */
const act = (
  talk: Talk,
  tool: string,
  input: Json,
  result: string,
  more: { error?: boolean; strategies?: Strategies } = {},
) => {
  const call = talk.call(tool, input, result, { error: more.error ?? false })
  const { strategies = createStrategies() } = more
  const events = strategiesAfter(talk.history(), call, talk.options({ strategies }))
  talk.append(...events)
  return { call, events }
}

const markIn = (talk: Talk, part: string) =>
  markOf(talk.history().ledger.standingOf({ id: part, interaction: 'i1' }))
const rest = (talk: Talk, steps = 5) => {
  for (let at = 0; at < steps; at += 1) talk.call('Bash', { command: `sleep ${at}` }, 'ok')
}
const big = manyLines('x', 60)

describe('registered strategies', () => {
  const clear: Rendering = { how: 'clear', moment: 'boundary' }
  const rule = { to: 'invalidated', rendering: clear, reason: 'says so' } as const

  const listed = (match: 'exact' | 'prefix', on?: readonly string[]) =>
    createStrategies({}).register('mcp__db__list', 'mcp:db', {
      parameters: [
        {
          name: 'again',
          match,
          ...(on && { on }),
          to: 'superseded',
          rendering: clear,
          reason: 'listed again',
        },
      ],
    })

  it('[X3] match by the parameters that a rule names: exactly, or the earlier value within the later', () => {
    for (const [match, second, expected] of [
      ['exact', { table: '/a', limit: 2 }, 'superseded'],
      ['exact', { table: '/b', limit: 1 }, 'active'],
      ['prefix', { table: '/' }, 'superseded'],
      ['prefix', { table: '/a/b' }, 'active'],
      ['exact', { limit: 1 }, 'active'],
    ] as const) {
      const talk = createTalk()
      talk.user('go')
      const strategies = listed(match, ['table'])
      const { call } = act(talk, 'mcp__db__list', { table: '/a', limit: 1 }, big, { strategies })
      act(talk, 'mcp__db__list', second, big, { strategies })
      expect(markIn(talk, call)).toBe(expected)
    }
  })

  it('[X3] annotate: a stale result stays, followed by a note', () => {
    const talk = createTalk()
    talk.user('go')
    const stale: SemanticRule = {
      ...rule,
      name: 'stale',
      owner: 'fs',
      effects: ['read'],
      match: 'same-resource',
      rendering: { how: 'annotate', moment: 'boundary' },
      reason: 'the file was changed later',
    }
    const strategies = createStrategies({}).register('Edit', 'fs', { invalidates: [stale] })
    const { call } = act(talk, 'Read', { file_path: '/w/a.ts' }, big, { strategies })
    act(talk, 'Edit', { file_path: '/w/a.ts', old_string: 'a', new_string: 'b' }, 'done', { strategies })
    rest(talk)
    const { conversation } = compile(talk.history(), talk.target(), { ...profiles.safe, cold: null }, null)
    expect(textOf(conversation.messages, `${call}.result`)).toBe(
      `${big}\n[Note: the file was changed later.]`,
    )
  })

  it('[X3] at insertion: a result is cleared before it is first sent, and never after', () => {
    for (const isSent of [false, true]) {
      const talk = createTalk()
      talk.user('go')
      const call = talk.call('mcp__x__noise', {}, manyLines('noise', 60))
      const first = isSent ? compile(talk.history(), talk.target(), profiles.safe, null).manifest : null
      const batch = createChangeBatch(talk.history(), talk.options())
      makeChange(batch, {
        ...personsProposal(batch.index, { person: '', parts: [call], to: 'superseded', reason: 'noise' }),
        actor: { kind: 'tool', owner: 'mcp:x', tool: 'mcp__x__noise' },
        rendering: { how: 'clear', moment: 'insertion' },
      })
      talk.append(...batch.events)
      const { conversation } = compile(talk.history(), talk.target(), profiles.safe, first)
      const text = textOf(conversation.messages, `${call}.result`)
      if (isSent) expect(text).toBe(manyLines('noise', 60))
      else expect(text).toContain('cleared: noise')
    }
  })

  it('[X3] guess nothing about a tool whose parameters are not named', () => {
    const talk = createTalk()
    talk.user('go')
    const strategies = listed('exact')
    act(talk, 'mcp__db__list', { table: '/a' }, big, { strategies })
    expect(act(talk, 'mcp__db__list', { table: '/a' }, big, { strategies }).events).toEqual([])
  })

  it('[X4] an effect on another owner is refused, unless the owner consents', () => {
    const reaches: SemanticRule = { ...rule, name: 'reach', owner: 'fs', effects: ['read'], match: 'any' }
    const base = createStrategies({}).register('Bash', 'shell', { invalidates: [reaches] })
    const consented = base.register('Read', 'fs', { accepts: ['shell'] })
    for (const [strategies, mark, type] of [
      [base, 'active', 'manipulation-rejected'],
      [consented, 'invalidated', 'manipulation-applied'],
    ] as const) {
      const talk = createTalk()
      talk.user('go')
      const { call } = act(talk, 'Read', { file_path: '/w/a.ts' }, big, { strategies })
      const { events } = act(talk, 'Bash', { command: 'x' }, 'ok', { strategies })
      expect(events.map(each => each.type)).toEqual([type])
      expect(markIn(talk, call)).toBe(mark)
      expect(talk.history().ledger.rejected.map(({ code }) => code)).toEqual(
        mark === 'active' ? ['foreign-owner'] : [],
      )
    }
  })

  it('[X3] a cascade saves each step as a manipulation with its cause, cuts cycles, and ends at depth 8', () => {
    const chain = (name: string, owner: string): SemanticRule => ({
      ...rule,
      name,
      owner,
      effects: ['run'],
      match: 'any',
    })
    const talk = createTalk()
    talk.user('go')
    const names = Array.from({ length: 12 }, (_, at) => `t${at}`)
    let strategies = createStrategies({})
    for (const [at, name] of names.entries()) {
      const next = names[(at + 1) % names.length] ?? ''
      const before = names[(at + names.length - 1) % names.length] ?? ''
      strategies = strategies.register(name, `tool:${name}`, {
        cascade: [chain('follows', `tool:${next}`)],
        accepts: [`tool:${before}`],
      })
    }
    for (const name of names) talk.call(name, { x: name }, big)
    strategies = strategies.register('start', 'tool:start', { invalidates: [chain('begins', 'tool:t0')] })
    strategies = strategies.register('t0', 'tool:t0', { accepts: ['tool:start'] })
    const { events } = act(talk, 'start', {}, 'ok', { strategies })
    const applied = events.filter(each => each.type === 'manipulation-applied')
    expect(applied).toHaveLength(9)
    expect(applied.map(({ causedBy }) => causedBy)).toEqual([
      null,
      ...applied.slice(0, -1).map(each => each.manipulation),
    ])
    expect(events.at(-1)).toMatchObject({ type: 'manipulation-rejected', code: 'too-deep' })
  })

  it('[X3] a cascade with a cycle ends by itself', () => {
    const talk = createTalk()
    talk.user('go')
    const back = (name: string, owner: string): SemanticRule => ({
      ...rule,
      name,
      owner,
      effects: ['run'],
      match: 'any',
    })
    const strategies = createStrategies({})
      .register('a', 'tool:a', { cascade: [back('a-b', 'tool:b')], accepts: ['tool:b', 'tool:go'] })
      .register('b', 'tool:b', { cascade: [back('b-a', 'tool:a')], accepts: ['tool:a'] })
      .register('go', 'tool:go', { invalidates: [back('go-a', 'tool:a')] })
    talk.call('a', {}, big)
    talk.call('b', {}, big)
    const { events } = act(talk, 'go', {}, 'ok', { strategies })
    expect(events.map(({ strategy }) => strategy)).toEqual(['go-a', 'a-b'])
  })
})
