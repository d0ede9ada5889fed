import { describe, expect, it } from 'vitest'
import type { InteractionId } from '../protocol/ids.ts'
import type { Event, Validity } from '../protocol/event.ts'
import {
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
} from '../projections/journal.fixture.ts'
import { compile } from './compile.ts'
import { createHistoryFold } from './fold-history.ts'
import { foldEntries } from '../projections/fold.ts'
import { profiles } from './profiles.ts'
import type { Target } from './target.ts'

const changed = (interaction: string, to: Validity, parts?: readonly string[]) =>
  ({
    type: 'validity-changed',
    target: { interaction: interaction as InteractionId, ...(parts && { parts }) },
    to,
    by: 'someone',
    reason: 'wrong',
    replacedBy: null,
  }) as const

const target: Target = { step: 9, at: 0, window: 1e6, fixedTokens: 0, thinking: 'free', boundary: false }

const talked = [
  created(),
  started('i1', 'first'),
  spoke(
    'i1',
    null,
    start('m1'),
    { type: 'start-step' },
    ...text('t', 'words'),
    call('c1'),
    output('c1', 'given'),
  ),
  spoke('i1', null, { type: 'start-step' }, ...text('t2', 'done'), finish),
  ended('i1'),
  started('i2', 'second'),
]

const sentAfter = (...events: readonly Event[]) => {
  const history = foldEntries(createHistoryFold(), journal(...talked, ...events))
  return compile(history, target, profiles.off, null).conversation.messages
}

describe('validity in older journals', () => {
  it('[X2] an invalidated interaction is not sent, and is sent again when it is restored', () => {
    expect(sentAfter().map(({ id }) => id)).toEqual(['prompt-i1', 'm1', 'm1:results', 'm1#1', 'prompt-i2'])
    expect(sentAfter(changed('i1', 'invalidated')).map(({ id }) => id)).toEqual(['prompt-i2'])
    expect(sentAfter(changed('i1', 'invalidated'), changed('i1', 'active'))).toEqual(sentAfter())
  })

  it('[X2] a part is found by its id in the stream: text is left out, a pair is cleared as a whole', () => {
    const [, answer] = sentAfter(changed('i1', 'invalidated', ['t']))
    expect(answer?.parts.map(({ kind }) => kind)).toEqual(['call'])
    const [, , results] = sentAfter(changed('i1', 'superseded', ['c1']))
    expect(results?.parts[0]).toMatchObject({
      kind: 'result',
      content: [{ text: expect.stringMatching(/^\[cleared: recall \w+\]$/) }],
    })
  })
})

describe('the history of a journal', () => {
  const history = foldEntries(createHistoryFold(), journal(...talked))

  it('[X1] has steps, interactions, times and pairs', () => {
    expect(
      history.messages.map(({ message, step, interaction, at }) => [
        message.id,
        message.role,
        step,
        interaction,
        at,
      ]),
    ).toEqual([
      ['prompt-i1', 'user', 1, 'i1', 2000],
      ['m1', 'assistant', 1, 'i1', 3000],
      ['m1:results', 'tool', 2, 'i1', 3000],
      ['m1#1', 'assistant', 2, 'i1', 4000],
      ['prompt-i2', 'user', 3, 'i2', 6000],
    ])
    expect(history.messages[1]?.pairs).toMatchObject([
      { call: 'm1/c1', tool: 'Read', owner: 'fs', effect: 'read', step: 1 },
    ])
  })

  it('[X1] parts with the same name in two steps of a message have different ids', () => {
    const step = (words: string) => spoke('i1', null, { type: 'start-step' }, ...text('0', words))
    const twice = foldEntries(
      createHistoryFold(),
      journal(created(), started('i1'), spoke('i1', null, start('m')), step('a'), step('b')),
    )
    expect(twice.messages.flatMap(({ message }) => message.parts.map(({ id }) => id)).slice(1)).toEqual([
      'm/0',
      'm/0~2',
    ])
  })

  it('[X1] a message that a person sent while the agent was working comes after the results of that step', () => {
    const data = { level: 'info', code: 'said-meanwhile', message: 'faster' } as const
    const told = foldEntries(
      createHistoryFold(),
      journal(
        created(),
        started('i1'),
        spoke('i1', null, start('m'), { type: 'start-step' }, call('c1'), { type: 'data-notice', data }),
        spoke('i1', null, output('c1', 'given')),
        spoke('i1', null, { type: 'start-step' }, ...text('t', 'done')),
      ),
    )
    const { messages } = compile(told, target, profiles.off, null).conversation
    expect(messages.map(({ id, role }) => [id, role])).toEqual([
      ['prompt-i1', 'user'],
      ['m', 'assistant'],
      ['m:results', 'tool'],
      ['m:meanwhile', 'user'],
      ['m#1', 'assistant'],
    ])
    expect(messages[3]?.parts).toMatchObject([{ kind: 'text', text: 'faster' }])
  })

  it('[X10] a message that did not change is the same object after more entries', () => {
    const fold = createHistoryFold()
    const entries = journal(
      ...talked,
      spoke('i2', null, start('m2'), { type: 'start-step' }, ...text('t', 'x'), call('c2')),
    )
    for (const entry of entries.slice(0, -1)) fold.apply(entry)
    const before = fold.view()
    for (const entry of entries.slice(-1)) fold.apply(entry)
    const after = fold.view()
    expect(after.messages).toHaveLength(before.messages.length + 1)
    expect(before.messages.every((message, at) => message === after.messages[at])).toBe(true)
    expect(after.ledger).toBe(before.ledger)
  })

  it('[X10] steps of one long answer stay the same objects while it goes on', () => {
    const fold = createHistoryFold()
    const step = (at: number) =>
      spoke('i1', null, { type: 'start-step' }, call(`x${at}`, 'Read', 'in'), output(`x${at}`, 'given'))
    const entries = journal(
      created(),
      started('i1'),
      spoke('i1', null, start('m')),
      step(1),
      step(2),
      step(3),
    )
    for (const entry of entries.slice(0, -1)) fold.apply(entry)
    const before = fold.view().messages
    for (const entry of entries.slice(-1)) fold.apply(entry)
    const after = fold.view().messages
    expect(after.length).toBe(before.length + 2)
    expect(before.every((message, at) => message === after[at])).toBe(true)
  })
})
